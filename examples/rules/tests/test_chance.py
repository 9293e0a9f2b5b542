"""Games with dice or hidden cards: the number of a game decides all chance, and a guess shows its side nothing else than the state."""
import random
import unittest

from games import CLOCKS, FOLDERS, ask, menagerie_rules, rules_of, servers


def game(server, variant, seed):
    """The states of a random game with their views; the last one is over."""
    chance, state = random.Random(seed), ask(server, "start", variant=variant)["state"]
    while True:
        view = ask(server, "view", state=state)
        yield state, view
        if view["over"] is not None:
            return
        state = ask(server, "play", state=state, move=chance.choice(view["moves"]))["state"]


def by_stone(stones, dice):
    """The stones after each way of playing two dice, sorted: a second generator, which moves single stones."""
    found = set()
    for first, second in (dice, dice[::-1]):
        ways = [list(stones)]
        for die in (first, second):
            after = []
            for way in ways:
                moved = []
                for index, point in enumerate(way):
                    if point > die or (point and (point == die or max(way) == point)):
                        moved.append(way[:index] + [max(0, point - die)] + way[index + 1 :])
                after += moved or [way]
            ways = after
        found |= {tuple(sorted(way)) for way in ways}
    return found


class Chance(unittest.TestCase):
    def test_a_number_is_one_game(self):
        for name in ("dice-race", "one-card"):
            server = servers()[name]
            starts = {ask(server, "start", variant=variant)["state"] for variant in range(1, 22)}
            self.assertEqual(len(starts), 21)
            self.assertEqual(list(game(server, 7, 1)), list(game(servers()[name], 7, 1)))

    def test_guesses_show_a_side_the_same_and_differ(self):
        for name in ("dice-race", "one-card"):
            server, guesses = servers()[name], 0
            for variant in range(10):
                for state, view in game(server, variant, variant):
                    if view["over"] is not None:
                        break
                    side = view["turn"]
                    file = ask(server, "task", state=state, clocks=CLOCKS, single=False)
                    for number in range(5):
                        guess = ask(server, "guess", state=state, side=side, number=number)["state"]
                        guesses += guess != state
                        self.assertEqual(ask(server, "task", state=guess, clocks=CLOCKS, single=False), file)
                        self.assertEqual(ask(server, "view", state=guess)["moves"], view["moves"])
                    shown = ask(server, "position", **file)["state"]
                    self.assertEqual(ask(server, "task", state=shown, clocks=CLOCKS, single=False), file)
            self.assertGreater(guesses, 100)

    def test_dice_race_by_single_stones(self):
        rules, seen = rules_of(FOLDERS["dice-race"]), set()
        race, server = rules.DiceRace(), servers()["dice-race"]
        for variant in range(100):
            for text, view in game(server, variant, variant):
                state = menagerie_rules.Moment(server.game, text).state
                own = state[1 + state[0]]
                stones = [point for point, count in enumerate(own, start=1) for _ in range(count)] + [0] * (rules.STONES - sum(own))
                if view["over"] is None:
                    after = {tuple(sorted([p for p, count in enumerate(way, start=1) for _ in range(count)] + [0] * (rules.STONES - sum(way))))
                             for way in race.results(state).values()}
                    self.assertEqual(after, by_stone(stones, state[3]), state)
                    seen.add(len(after))
        self.assertGreater(max(seen), 3)

    def test_the_pot_of_one_card(self):
        rules, server = rules_of(FOLDERS["one-card"]), servers()["one-card"]
        for variant in range(50):
            before = None
            for text, _ in game(server, variant, variant + 1):
                state = menagerie_rules.Moment(server.game, text).state
                if before is not None and state["hand"] > before["hand"]:
                    cards, won = before["cards"], state["chips"] - before["chips"]
                    hand = before["done"] + "".join(letter for letter in state["past"][-1].split()[1][len(before["done"]) :])
                    bets = [1, 1]
                    for index, letter in enumerate(hand):
                        bets[(rules.OneCard().first(before) + index) % 2] += letter == "b"
                    winner = int(cards[1] > cards[0]) if bets[0] == bets[1] else int(bets[1] > bets[0])
                    self.assertEqual(won, min(bets) * (1 if winner == 0 else -1), text)
                before = state


if __name__ == "__main__":
    unittest.main()
