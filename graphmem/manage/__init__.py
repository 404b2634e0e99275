"""Reading and changing single records: stores, episodes, facts, entities, and forgetting them."""
