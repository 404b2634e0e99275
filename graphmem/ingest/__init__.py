"""Remember: accept, extract, resolve, contradict, commit. `pipeline.py` reads like that line."""
