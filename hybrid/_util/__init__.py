"""Plain Python helpers without any knowledge of hybrid."""
