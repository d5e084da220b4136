package import Foundation

/// Parses the first and last line of an export from Realm.
package enum ExportMark {
  /// Returns the identifier in a first line, `{"$export":"F1EF…"}`, or `nil` for any other line.
  package static func identifier(_ line: [UInt8]) -> UUID? {
    (member("$export", of: line) as? String).flatMap { UUID(uuidString: $0) }
  }

  /// Returns the numbers of objects by class in a last line, `{"$counts":{"Dog":3}}`, or `nil` for any other
  /// line.
  package static func counts(_ line: [UInt8]) -> [String: Int]? {
    member("$counts", of: line) as? [String: Int]
  }

  private static func member(_ name: String, of line: [UInt8]) -> Any? {
    guard line.starts(with: Array("{\"\(name)\":".utf8)) else { return nil }
    let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
    return object?.count == 1 ? object?[name] : nil
  }
}
