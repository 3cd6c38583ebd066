"""Transcripts of games that nobody played: random, but such as the rules allow."""

from __future__ import annotations

import random


def nim(games: int, seed: int = 0) -> str:
    """A transcript of so many games of nim. Of every ten seeds one gives a transcript that is wrong at its end."""
    lots = random.Random(seed)
    text = [f"{games}"]
    for _ in range(games):
        heaps = [lots.randint(1, 5) for _ in range(3)]
        text += ["Ann Ben", " ".join(map(str, heaps))]
        players = ["Ann", "Ben"]
        while any(heaps):
            heap = lots.choice([place for place, left in enumerate(heaps) if left])
            taken = lots.randint(1, heaps[heap])
            heaps[heap] -= taken
            text.append(f"{players[0]} {taken} from {heap + 1}")
            players.reverse()
    if seed % 10 == 7:
        text[-1] += "0"
    return "\n".join(text) + "\n"


COLOURS = ["Yellow", "Green", "Brown", "Blue", "Pink", "Black"]
WORTH = {"White": 0, "Red": 1} | {colour: worth for worth, colour in enumerate(COLOURS, 2)}


def snooker(frames: int, seed: int = 0) -> str:
    """A transcript of so many frames of snooker between two players who often miss."""
    lots = random.Random(seed)
    text = [f"{frames}"]
    for _ in range(frames):
        text += ["", "Ann Ben"]
        text += _frame(lots)
    return "\n".join(text) + "\n"


def _frame(lots: random.Random) -> list[str]:
    strokes: list[str] = []
    reds, colours, phase, score, turn, fouled = 15, COLOURS[:], "reds", [0, 0], 0, False
    while True:
        if fouled and lots.random() < 0.2:
            strokes.append("Play again")
            turn, fouled = 1 - turn, False
            continue
        on = {"reds": ["Red"], "colour": colours, "order": colours[:1]}[phase]
        left = ["Red"] * (reds > 0) + colours
        hit = lots.choices([lots.choice(on), lots.choice(left), None], weights=[0.92, 0.06, 0.02])[0]
        target = hit if hit in on else on[0]
        potted = []
        if hit and lots.random() < 0.55:
            potted.append(hit)
        if hit and lots.random() < 0.03:
            other = lots.choice(left)
            if other not in potted or (other == "Red" and reds > 1):
                potted.append(other)
        if lots.random() < 0.02:
            potted.append("White")
        strokes.append(" ".join([hit or "None", *potted]))
        foul = hit is None or hit != target or any(ball != target for ball in potted)
        scored = bool(potted) and not foul
        if foul:
            wrong = [WORTH[ball] for ball in potted if ball != target]
            score[1 - turn] += max([4, WORTH[target], WORTH[hit or "White"], *wrong])
        elif scored:
            score[turn] += len(potted) * WORTH[target]
        if on == ["Black"] and (scored or foul):
            if score[0] != score[1]:
                return strokes
            drawn = lots.randrange(2)
            strokes.append(["Ann", "Ben"][drawn])
            turn, colours, fouled = drawn, ["Black"], False
            continue
        reds -= potted.count("Red")
        if not foul and phase != "colour":
            colours = [ball for ball in colours if ball not in potted]
        if scored and phase == "reds":
            phase = "colour"
        else:
            phase = "reds" if reds else "order"
        fouled = foul
        if not scored:
            turn = 1 - turn
