/// The classes of objects that a ``Query`` can begin with.
public protocol _QueryableObject {}

extension ObjectBase: _QueryableObject {}
