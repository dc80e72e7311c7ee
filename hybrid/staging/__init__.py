"""What the constructs of Python mean on values that only running tells: the front end's run-time functions, said in graphs."""
