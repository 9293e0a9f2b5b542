//! Boards that sections of the rules have beside their texts: game, section, caption, input file.

/// The boards, in the order of the pages.
pub(super) const FIGURES: &[(&str, &str, &str, &str)] = &[
    (
        "halma",
        "Jumps",
        "White is to move. The piece on 12,8 can jump three times in a row, over pieces of both colours, and may stop after each jump.",
        "SINGLE\nWHITE\n10\n................\n................\n................\n................\n.......W........\n.........B......\n................\n...........B....\n............W...\n................\n................\n...B............\n................\n................\n................\n................\n",
    ),
    (
        "wolves",
        "Eating",
        "The wolf at 2,4 can eat the sheep at 2,2 and 0,4. The sheep at 3,4 is right beside it, and safe.",
        "SINGLE\nWOLVES\n10\nSS.SS\n.W...\n..S.S\n.....\nS.WS.\n",
    ),
    (
        "wolves",
        "Winning",
        "Sheep are to move, and a step to 3,4 shuts both wolves in.",
        "SINGLE\nSHEEP\n10\nWS..S\nS..S.\n..S..\n...SS\nS.S.W\n",
    ),
    (
        "squirrels",
        "Raid and Sneak",
        "X is to move. C2 touches B2, a piece of X: a Raid that turns D2 and C1. E5 touches none: a Sneak.",
        "SINGLE\nX\n10\n20 16 1 32 30\n20 12 2 11 8\n28 48 9 1 1\n20 12 10 6 2\n25 30 23 21 10\n**O**\n*X*O*\n*****\n*****\nX****\n",
    ),
    (
        "foxgame",
        "Lines",
        "One fox stands where diagonals lead to all sides, one where none does. Press them.",
        "SINGLE\nFOX\n10\n##...##\n##...##\n...F...\n....F..\nSS...SS\n##SSS##\n##SSS##\n",
    ),
    (
        "foxgame",
        "Foxes",
        "The fox can jump twice, over 3,3 and over 4,4, or stop after the first jump.",
        "SINGLE\nFOX\n10\n##...##\n##...##\n...F...\n...S...\nSS..S.S\n##SSS##\n##SS.##\n",
    ),
    (
        "foxgeese",
        "Forced captures",
        "X could take one goose, Y can take two: only the chain of Y is allowed.",
        "SINGLE\nFOXES\n10\nMOVES 9\n    - - -\n    - - -\n- - X a - - -\n- Y b - - - -\nc - - d e f g\n    h i j\n    k l -\n",
    ),
];
