import Fief

/// The limits of names and texts.
enum LogLimits {
  static let nameLength = 40
  /// The maximum combined length of a request's method, host and path.
  static let requestNameLength = 200
  static let textLength = 100
  static let parameters = 25

  /// Returns a name, truncated if it is too long.
  static func name(_ name: String, length: Int = nameLength) -> String { String(name.prefix(length)) }

  /// Returns a text, truncated if it is too long.
  static func text(_ text: String) -> String { String(text.prefix(textLength)) }

  /// - Throws: `FiefError` of code `invalidValue`.
  static func check(event name: String, _ parameters: [String: LogValue]) throws(FiefError) {
    try check(name, "The name of an event")
    guard parameters.count <= Self.parameters else {
      throw FiefError(
        .invalidValue,
        "An event has more than 25 parameters.",
        details: ["it has \(parameters.count)"]
      )
    }
    for (name, value) in parameters {
      try check(name, "The name of a parameter")
      if case .string(let text) = value, text.count > textLength {
        throw FiefError(
          .invalidValue,
          "The text of a parameter has more than 100 characters.",
          property: name
        )
      }
    }
  }

  private static func check(_ name: String, _ what: String) throws(FiefError) {
    let scalars = name.unicodeScalars
    let isLetter = { (scalar: Unicode.Scalar) in ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }
    if let first = scalars.first, isLetter(first), scalars.count <= nameLength,
      scalars.allSatisfy({ isLetter($0) || ("0"..."9").contains($0) || $0 == "_" })
    {
      return
    }
    throw FiefError(
      .invalidValue,
      "\(what) is a letter followed by letters, digits and underscores, at most 40 characters."
    )
  }
}
