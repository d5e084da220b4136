extension FiefError {
  /// The contents of an error.
  // SAFETY: the fields are changed only while the error has no other copy.
  final class Fields: @unchecked Sendable {
    var code: Code
    var message: String
    var store: String?
    var type: String?
    var property: String?
    var key: String?
    var path: String?
    var details: [String] = []
    var retryAfter: Duration?
    var underlying: (any Error)?
    /// Whether the texts show values.
    var isShowing = false

    init(_ code: Code, _ message: String) {
      self.code = code
      self.message = message
    }

    init(_ other: Fields) {
      code = other.code
      message = other.message
      store = other.store
      type = other.type
      property = other.property
      key = other.key
      path = other.path
      details = other.details
      retryAfter = other.retryAfter
      underlying = other.underlying
      isShowing = other.isShowing
    }
  }
}
