; A module without anything in it.
