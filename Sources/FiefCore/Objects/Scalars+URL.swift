// The underscored requirements are internal to the library; their protocols document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// A URL is stored and queried as its absolute text. A property that was never set is `file:///`.
extension URL: _CustomPersistable, Persistable {
  /// A URL is stored as text.
  public typealias PersistedType = String

  /// The absolute text of the URL.
  public var persistableValue: String { absoluteString }
  public static func _make(_ stored: String) -> URL? { URL(string: stored) }
  public static func _defaultValue() -> URL { URL(fileURLWithPath: "/") }
  public static func _read(from reader: inout _ValueReader) throws -> URL {
    guard let url = try _readElement(from: &reader) else {
      throw FiefError(.invalidValue, "The store has a string that is not a URL.")
    }
    return url
  }
}
