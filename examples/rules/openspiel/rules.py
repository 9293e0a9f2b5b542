"""Any game of OpenSpiel, by its name: python3 rules.py "breakthrough(rows=6,columns=6)". rules.md has the files.

A state is the list of the moves played. The judge remembers what it has seen, and OpenSpiel plays a list of moves quickly.
"""
import sys

import pyspiel
from menagerie_rules import Game, Refused, run


class OpenSpiel(Game):
    sides = ["FIRST", "SECOND"]

    def __init__(self, name):
        self.name, self.game = name, pyspiel.load_game(name)
        kind = self.game.get_type()
        sequential = kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
        open_to_all = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
        without_chance = kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
        if not (self.game.num_players() == 2 and sequential and open_to_all and without_chance):
            sys.exit(name + ": expected a game for two players in turn, without chance and without hidden information")

    def reached(self, state):
        position = self.game.new_initial_state()
        for action in state:
            position.apply_action(action)
        return position

    def named(self, position):
        """The legal actions by their names. Some games have blanks in them, and a file separates names by blanks."""
        return {position.action_to_string(action).replace(" ", "_"): action for action in position.legal_actions()}

    def start(self, variant):
        return []

    def turn(self, state):
        return max(self.reached(state).current_player(), 0)  # negative at the end of a game

    def moves(self, state):
        return list(self.named(self.reached(state)))

    def play(self, state, move):
        return state + [self.named(self.reached(state))[move]]

    def over(self, state):
        position = self.reached(state)
        if not position.is_terminal():
            return None
        first = position.returns()[0]
        if first == 0:
            return {"winner": None, "why": "a draw"}
        return {"winner": int(first < 0), "why": self.sides[first < 0] + " has won"}

    def board(self, state):
        return str(self.reached(state))

    def task(self, state, clocks, single):
        position, own = self.reached(state), self.turn(state)
        lines = [self.name, self.sides[own], "%.3f %.3f" % (clocks[own], clocks[1 - own]), " ".join(map(str, state))]
        return "\n".join(lines + [" ".join(self.named(position)), str(position).rstrip("\n")]) + "\n"

    def position(self, text):
        """The fourth line has all that counts: the actions so far."""
        lines = text.split("\n")
        if len(lines) < 4 or lines[0] != self.name:
            raise Refused("format", "expected the game %s" % self.name, line=1)
        state = []
        for word in lines[3].split():
            if word not in map(str, self.reached(state).legal_actions()):
                raise Refused("format", "expected the numbers of legal actions, found %r" % word[:40], line=4)
            state.append(int(word))
        return state


if __name__ == "__main__":
    run(OpenSpiel(sys.argv[1]))
