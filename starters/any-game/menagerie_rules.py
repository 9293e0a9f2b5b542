"""A board game for the judge: a class of yours knows the rules, this file speaks with the judge. Keep it as it is; it needs Python 3.8.
Beside it, rules.py has a class MyGame(Game), and at its end: if __name__ == "__main__": run(MyGame())
`python3 rules.py play` plays by hand; `python3 rules.py` answers the judge: a request a line, the answer a line, both in JSON."""
import contextlib, json, os, random, sys, traceback  # noqa: E401


class Refused(Exception):
    """No legal move, and why, for students: Refused("format", "expected x,y, found 'abc'", line=1) or Refused("illegal", "2,2 is occupied")."""

    def __init__(self, kind, why, line=None):
        super().__init__(why)
        self.answer = {"refused": kind, "why": why} if line is None else {"refused": kind, "why": why, "line": line}


class Game:
    """The rules. A state is a string, or any other value that JSON can hold (tuples become lists). All that bears on the rest of a game is
    in it, and no function changes it. A move is a string of one line. Side 0 moves first. Write these six; the others have a default:
    start(variant)  The state in which a game starts. The variant is None or the number of the game: the seed of dice and cards.
    turn(state)     The side that moves next, which may be the same again; [0, 1] if both move at the same time. Then `play` gets both
                    moves, {0: move, 1: move}, and moves, task, read, legal, write and weight get the side that is asked after all else.
    moves(state)    All legal moves, each once and always in the same order. Nobody asks for them when the game is over.
    play(state, move)  The state after a legal move.
    over(state)     None while the game goes on; then a dict with "winner", which is 0, 1 or None for a draw, and "why", for people. A game
                    of points adds "points", side 0's less side 1's; "by_time" is the side that wins a draw at equal times, if time decides.
    task(state, clocks, single)  The input file of the side to move. `clocks`: the seconds that both sides have left, for this move if `single`.
    Without these six the judge does less:
    value(state)    An estimate for the side to move, the more the better, by which reference players search.
    weight(state, move)  How often `random` plays a legal move: 2 is twice as often as 1, 0 only if all moves have 0.
    legal(state, move)  Whether a move that `moves` does not list is legal. Then `moves` lists some, for reference players and tests.
    position(text)  The state that an input file shows, or a tuple: the state, the seconds of both sides (None if the file does not say),
                    and the side if both move at the same time. `task` makes the same file of it again. Raises Refused("format", ...).
    guess(state, side, number)  A state that agrees with all that this side knows, the rest drawn by random.Random(number).
    draw(state, move)  For pictures, a pair: the rows of the board from the top, each a list of short texts, "." for an empty square; and
                    the list of the squares [x, y] of the move that led here (None at the start), x from the left, y from the top, from 0."""

    sides = ["side 0", "side 1"]  # their names, for the terminal
    input, output = "input.txt", "output.txt"  # the files in which a program finds its task, and leaves its move
    columns, rows = [], []  # the labels beside the board that `draw` returns, if they are not the numbers from 0
    value = weight = legal = position = guess = draw = None

    def read(self, state, text, side=None):
        """The move in the text of an output file; by default its one line. Raise Refused where you know more than that `moves` lacks it."""
        lines = text.strip().split("\n")
        if len(lines) > 1 or not lines[0]:
            raise Refused("format", "expected one line, found %s" % (len(lines) if lines[0] else "none"), line=min(len(lines), 2))
        return lines[0]

    def write(self, state, move, side=None):
        return move + "\n"  # the text of an output file with this move

    def board(self, state):
        return str(state)  # the board as text, for people


class Moment:
    """What a text of the judge's stands for: a state, and the side that is asked there. Where both sides move at the same time, side 0 is
    asked first. Its move waits in the text for that of side 1, which does not see it; None is a move that nobody knows."""

    def __init__(self, game, text):
        self.is_second = text.startswith("\t\t")
        self.whole, (self.text, self.first) = text, json.loads(text) if self.is_second else (text, None)
        self.state = json.loads(self.text) if self.text.startswith("\t") else self.text
        sides = sorted(turn) if isinstance(turn := game.turn(self.state), (list, tuple)) else [turn]
        self.both, self.side = len(sides) > 1, 1 if self.is_second else sides[0]
        self.who = [self.side] if self.both else []  # the last argument of the functions that are about one side

    def second(self, move):
        return "\t\t" + json.dumps([self.text, move])


class Server:
    """Answers requests. A function with the name of a request takes the request and the moment of its state, and returns the answer."""

    def __init__(self, game):
        self.game, self.known = game, (None,)
        self.requests = {do: getattr(self, do) for do in "start view play task read write position guess draw playout".split()}

    def encode(self, state):
        """The text of a state: a string is its own text, anything else is JSON after a tab."""
        for part in (parts := [state]):  # with all that is in it
            if isinstance(part, dict) and not all(isinstance(key, str) for key in part):
                raise TypeError("a dict in a state has texts as its keys, JSON knows no others: %r" % list(part)[:3])
            parts += part.values() if isinstance(part, dict) else part if isinstance(part, (list, tuple)) else []
        return state if isinstance(state, str) and state[:1] != "\t" else "\t" + json.dumps(state, sort_keys=True, separators=(",", ":"), allow_nan=False)

    def ways(self, moment):
        """The end of the game, or None; the legal moves; their weights. Requests about one text often come one after the other."""
        if self.known[0] != moment.whole:
            over = self.game.over(moment.state)
            moves = self.game.moves(moment.state, *moment.who) if over is None else []
            self.known = moment.whole, over, moves, [self.game.weight(moment.state, move, *moment.who) for move in moves if self.game.weight]
        return self.known[1:]

    def legal(self, moment, move):
        over, moves, _ = self.ways(moment)
        may_be = self.game.legal and over is None and isinstance(move, str) and move != "" and move.isprintable()
        if move not in moves and not (may_be and self.game.legal(moment.state, move, *moment.who)):
            raise Refused("illegal", "%s is not a legal move" % str(move)[:80] if over is None else "the game is over")
        return move

    def start(self, request, moment):
        return {"state": self.encode(self.game.start(request.get("variant")))}

    def view(self, request, moment):
        over, moves, weights = self.ways(moment)
        answer = {"turn": moment.side, "over": over, "moves": moves, "board": self.game.board(moment.state)}
        if over is None:
            if not moves or len(set(moves)) < len(moves) or any(not isinstance(move, str) or "\n" in move for move in moves):
                raise ValueError("expected moves, each once and a line of text%s: %r" % (moves and "" or ", while over is None", moves))
            value = self.game.value(moment.state) if self.game.value and not moment.both else None
            together = (moment.text if moment.is_second else moment.second(None)) if moment.both else None
            more = {"value": value, "weights": weights, "some": self.game.legal and True, "together": together}
            answer.update((key, each) for key, each in more.items() if each not in (None, []))
        return answer

    def after(self, moment, move):
        if moment.both and moment.first is None:  # the other side moves as well, before the game goes on
            return moment.whole if moment.is_second else moment.second(move)
        return self.encode(self.game.play(moment.state, {0: moment.first, 1: move} if moment.both else move))

    def play(self, request, moment):
        answer = {"state": self.after(moment, self.legal(moment, request["move"]))}
        with contextlib.suppress(Exception):  # the judge needs the view next: if it is not here, it asks, and reports the error
            answer["view"] = self.view(answer, Moment(self.game, answer["state"]))
        return answer

    def playout(self, request, moment):
        chance, states, (over, moves, weights) = random.Random(request["number"]), [], self.ways(moment)
        while over is None and len(states) < request.get("most", 1000):
            states.append([moment.whole, chance.choices(moves, weights if any(weights) else None)[0]])
            moment = Moment(self.game, self.after(moment, states[-1][1]))
            over, moves, weights = self.ways(moment)
        return dict({"states": states + [[moment.whole, None]]} if "most" in request else {}, winner=over and over["winner"])

    def task(self, request, moment):
        return {"files": {self.game.input: self.game.task(moment.state, request["clocks"], request.get("single", False), *moment.who)}}

    def read(self, request, moment):
        return {"move": self.legal(moment, self.game.read(moment.state, request["files"][self.game.output], *moment.who))}

    def write(self, request, moment):
        return {"files": {self.game.output: self.game.write(moment.state, request["move"], *moment.who)}}

    def position(self, request, moment):
        found = self.game.position(request["files"][self.game.input])
        state, clocks, *side = found if isinstance(found, tuple) else (found, [None, None])
        moment = Moment(self.game, self.encode(state))
        text, side = (moment.second(None), 1) if side == [1] else (moment.text, moment.side)
        return {"state": text, "clock": clocks[side], "clocks": clocks}

    def guess(self, request, moment):
        guess = Moment(self.game, self.encode(self.game.guess(moment.state, request["side"], request["number"]))) if self.game.guess else moment
        unseen = random.Random(request["number"]).choice(self.game.moves(guess.state, 0)) if moment.is_second else None
        return {"state": guess.second(unseen) if moment.is_second else guess.text}

    def draw(self, request, moment):
        cells, last = self.game.draw(moment.state, None if moment.is_second else request.get("move"))
        return {"cells": cells, "last": last, "columns": self.game.columns, "rows": self.game.rows}

    def answer(self, line):
        """The answer to a line, as a line. Whatever happens, it is one JSON object."""
        try:
            request = json.loads(line)
            do, moment = request["do"], Moment(self.game, request["state"]) if "state" in request else None
            if getattr(self.game, do, True) is None and not (do == "guess" and moment.is_second):
                return json.dumps({"absent": do})
            if do in ("read", "position") and (self.game.output if do == "read" else self.game.input) not in request["files"]:
                raise Refused("format", "there is no file " + (self.game.output if do == "read" else self.game.input))
            return json.dumps(self.requests[do](request, moment), allow_nan=False)
        except Refused as refused:
            return json.dumps(refused.answer)
        except Exception as error:  # of the rules, or of a request that is none; with its place in the files beside this one
            own, frames = os.path.dirname(os.path.abspath(__file__)), traceback.extract_tb(error.__traceback__)
            frames = [each for each in frames if os.path.dirname(os.path.abspath(each[0])) == own and each[0] != __file__]
            places = [" (%s, line %d, in %s)" % (os.path.basename(each[0]), each[1], each[2]) for each in frames[-1:]]
            return json.dumps({"error": "%s: %s%s" % (type(error).__name__, str(error)[:1000], "".join(places))})


def run(game):
    """Answers the requests on standard input; or plays by hand, if the last word of the command is play."""
    if sys.argv[-1] == "play":
        return play_by_hand(game, Server(game))
    server, requests, answers, sys.stdin, sys.stdout = Server(game), sys.stdin.buffer, sys.stdout, None, sys.stderr  # only run() answers
    for line in requests:
        print(server.answer(line), file=answers, flush=True)


def play_by_hand(game, server):
    moment, words = Moment(game, server.start({}, None)["state"]), ""
    while words != "q":
        view = server.view({}, moment)
        if view["over"] is not None:
            return print("\n%s\n\nThe game is over: %s" % (view["board"], view["over"]))
        print("\n%s\n\n%s to move: %s" % (view["board"], game.sides[view["turn"]], "  ".join(view["moves"])))
        words = input("A move, r for any move, i for the input file, q to quit: ").strip()
        move = random.choice(view["moves"]) if words == "r" else words
        if move in view["moves"]:
            moment = Moment(game, server.after(moment, move))
        elif words != "q":
            print(server.task({"clocks": [10.0, 10.0]}, moment)["files"] if words == "i" else "This is not a legal move.")
