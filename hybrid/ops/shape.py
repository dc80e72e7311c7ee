"""Operations that change the shape."""
