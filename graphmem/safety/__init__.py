"""Safety of what is stored: secrets are taken out, personal data is tagged, orders inside texts are told apart.

Pure functions of text, linear in its length, without I/O.
"""
