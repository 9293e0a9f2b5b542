"""A board game for the judge: a class of yours knows the rules, this file speaks with the judge. Keep it as it is; it needs Python 3.8.
Beside it, rules.py has a class MyGame(Game), and at its end: if __name__ == "__main__": run(MyGame())
`python3 rules.py play` plays in the terminal, both sides by hand. `python3 rules.py` answers the judge: each line that it reads is a
request, each line that it prints is the answer, both in JSON. Nothing is kept from one request to the next."""
import contextlib, json, os, random, sys, traceback  # noqa: E401


class Refused(Exception):
    """No legal move, and why, for students: Refused("format", "expected x,y, found 'abc'", line=1) or Refused("illegal", "2,2 is occupied")."""

    def __init__(self, kind, why, line=None):
        super().__init__(why)
        self.answer = {"refused": kind, "why": why} if line is None else {"refused": kind, "why": why, "line": line}


class Game:
    """The rules. A state is a string, or any other value that JSON can hold (a tuple comes back as a list). All that bears on the rest of
    a game is in it, and no function changes it. A move is a string of one line. The sides are 0, which moves first, and 1.
    Write these six functions; the others have a default:
    start(variant)  The state in which a game starts. The variant is None or the number of the game: the seed of dice and cards.
    turn(state)     The side that moves next. Where a side is passed over and its program not asked, that is the other side again.
    moves(state)    All legal moves, each once and always in the same order. Nobody asks for them when the game is over.
    play(state, move)  The state after a legal move.
    over(state)     None while the game goes on; then a dict with "winner", which is 0, 1 or None for a draw, and "why", for people. A game
                    of points adds "points", side 0's less side 1's; "by_time" is the side that wins a draw at equal times, if time decides.
    task(state, clocks, single)  The text of the input file for the side to move, or a dict of several files and their texts. `clocks`
                    are the seconds that the two sides have left; `single` is true if this one move is asked for, not a whole game."""

    sides = ["side 0", "side 1"]  # their names, for the terminal
    input, output = "input.txt", "output.txt"  # the files in which a program finds its task, and leaves its move
    columns, rows = [], []  # the labels beside the board that `draw` returns, if they are not the numbers from 0

    def read(self, state, text):
        """The move in the text of an output file; by default its one line. Raise Refused where you know more than that `moves` lacks it."""
        lines = text.strip().split("\n")
        if len(lines) > 1 or not lines[0]:
            raise Refused("format", "expected one line, found %s" % (len(lines) if lines[0] else "none"), line=min(len(lines), 2))
        return lines[0]

    def legal(self, state, move):
        """Whether a move that `moves` does not list is legal. With this function `moves` lists only some, for reference players and tests."""
        return False

    def write(self, state, move):
        """The text of an output file with this move, or a dict of several files and their texts."""
        return move + "\n"

    def board(self, state):
        """The board as text, for people."""
        return str(state)

    def value(self, state):
        """An estimate for the side to move, the more the better, by which reference players search. None: there is no estimate."""
        return None

    def weight(self, state, move):
        """How often the player `random` plays a legal move, beside the others: 2 is twice as often, 0 only if all moves have 0."""
        return 1

    def position(self, text):
        """The state that an input file shows, or a pair: the state and the seconds of both sides (None if the file does not say). `task`
        has to make the same file of it again. A malformed file raises Refused("format", ...). `judge check` and `show` need this."""
        raise NotImplementedError

    def guess(self, state, side, number):
        """With dice or hidden cards: a state that agrees with all that this side knows, the rest drawn by random.Random(number)."""
        raise NotImplementedError

    def draw(self, state, move):
        """For pictures, a pair: the rows of the board, each a list of short texts, "." for an empty square; and the list of the squares
        [x, y] of the move that led to this state (None at the start). x counts from the left, y from the top, both from 0."""
        raise NotImplementedError


class Server:
    """Answers requests. A function with the name of a request takes the request and returns the answer."""

    def __init__(self, game):
        self.game, self.known = game, (None, None, [])
        self.requests = {do: getattr(self, do) for do in "start view play task read write position guess draw playout".split()}

    def encode(self, state):
        """The text of a state: a string is its own text, anything else is JSON after a tab."""
        parts = [state]  # with all that is in it
        for part in parts:
            if isinstance(part, dict) and not all(isinstance(key, str) for key in part):
                raise TypeError("a dict in a state has texts as its keys, JSON knows no others: %r" % list(part)[:3])
            parts += part.values() if isinstance(part, dict) else part if isinstance(part, (list, tuple)) else []
        return state if isinstance(state, str) and state[:1] != "\t" else "\t" + json.dumps(state, sort_keys=True, separators=(",", ":"), allow_nan=False)

    def decode(self, text):
        return json.loads(text) if text.startswith("\t") else text

    def legal(self, text, move):
        if self.known[0] != text:  # moves from one state often come one after the other
            over = self.game.over(self.decode(text))
            self.known = text, over, [] if over else self.game.moves(self.decode(text))
        is_line = isinstance(move, str) and move != "" and move.isprintable() and not self.known[1]
        if move not in self.known[2] and not (is_line and self.game.legal(self.decode(text), move)):
            raise Refused("illegal", "the game is over" if self.known[1] else "%s is not a legal move" % str(move)[:80])
        return move

    def start(self, request):
        return {"state": self.encode(self.game.start(request.get("variant")))}

    def view(self, request):
        state = self.decode(request["state"])
        over = self.game.over(state)
        answer = {"turn": self.game.turn(state), "over": over, "moves": [], "board": self.game.board(state)}
        if over is None:
            moves = answer["moves"] = self.game.moves(state)
            if not moves or len(set(moves)) < len(moves) or any(not isinstance(move, str) or "\n" in move for move in moves):
                raise ValueError("expected moves, each once and a line of text%s: %r" % (moves and "" or ", while over is None", moves))
            more = {"value": self.game.value(state), "weights": self.weights(state, moves), "some": type(self.game).legal is not Game.legal or None}
            answer.update((key, each) for key, each in more.items() if each not in (None, []))
        return answer

    def play(self, request):
        answer = {"state": self.encode(self.game.play(self.decode(request["state"]), self.legal(request["state"], request["move"])))}
        with contextlib.suppress(Exception):  # the judge needs the view next: if it is not here, it asks, and reports the error
            answer["view"] = self.view(answer)
        return answer

    def playout(self, request):
        """The winner of a game of random moves from here."""
        state, chance, left = self.decode(request["state"]), random.Random(request["number"]), 1000
        while self.game.over(state) is None and left:
            moves, left = self.game.moves(state), left - 1
            weights = self.weights(state, moves)
            state = self.decode(self.encode(self.game.play(state, chance.choices(moves, weights if any(weights) else None)[0])))
        return {"winner": (self.game.over(state) or {"winner": None})["winner"]}

    def weights(self, state, moves):
        return [] if type(self.game).weight is Game.weight else [self.game.weight(state, move) for move in moves]

    def task(self, request):
        return self.files(self.game.input, self.game.task(self.decode(request["state"]), request["clocks"], request.get("single", False)))

    def read(self, request):
        return {"move": self.legal(request["state"], self.game.read(self.decode(request["state"]), self.text(request, self.game.output)))}

    def write(self, request):
        return self.files(self.game.output, self.game.write(self.decode(request["state"]), request["move"]))

    def position(self, request):
        found = self.game.position(self.text(request, self.game.input))
        state, clocks = found if isinstance(found, tuple) else (found, [None, None])
        return {"state": self.encode(state), "clock": clocks[self.game.turn(state)], "clocks": clocks}

    def guess(self, request):
        return {"state": self.encode(self.game.guess(self.decode(request["state"]), request["side"], request["number"]))}

    def draw(self, request):
        cells, last = self.game.draw(self.decode(request["state"]), request.get("move"))
        return {"cells": cells, "last": last, "columns": self.game.columns, "rows": self.game.rows}

    def files(self, name, text):
        return {"files": text if isinstance(text, dict) else {name: text}}

    def text(self, request, name):
        if name not in request["files"]:
            raise Refused("format", "there is no file " + name)
        return request["files"][name]

    def answer(self, line):
        """The answer to a line, as a line. Whatever happens, it is one JSON object."""
        try:
            request = json.loads(line)
            do = request["do"]
            if do in ("position", "guess", "draw") and getattr(type(self.game), do) is getattr(Game, do):
                return json.dumps({"absent": do})
            return json.dumps(self.requests[do](request), allow_nan=False)
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
    state, words = server.start({})["state"], ""
    while words != "q":
        view = server.view({"state": state})
        if view["over"] is not None:
            return print("\n%s\n\nThe game is over: %s" % (view["board"], view["over"]))
        print("\n%s\n\n%s to move: %s" % (view["board"], game.sides[view["turn"]], "  ".join(view["moves"])))
        words = input("A move, r for any move, i for the input file, q to quit: ").strip()
        move = random.choice(view["moves"]) if words == "r" else words
        if words == "i":
            print(server.task({"state": state, "clocks": [10.0, 10.0]})["files"])
        elif move in view["moves"]:
            state = server.play({"state": state, "move": move})["state"]
        else:
            print("Bye." if words == "q" else "This is not a legal move.")
