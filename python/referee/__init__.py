"""x"""
from ._native import Events, Game, Session, Table, Tables, check, games, variants
