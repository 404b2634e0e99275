// does:    Work of a fixed size that reads nothing: how fast the machine is at the moment.
// mode:    read
// scope:   none   reads no memory
// param:   steps   integer
// returns: sum     float
CYPHER 25
UNWIND range(1, $steps) AS i
RETURN sum(sqrt(i)) AS sum
