import FiefCore
import Foundation

extension DynamicKey {
  /// Returns the text that ``parts(fromText:_:_:)`` reads. If the bytes are not a valid key, returns a
  /// description of them for messages.
  static func shownText(of key: [UInt8], _ table: Table) -> String {
    (try? text(of: key, table)) ?? ObjectKey(bytes: key).description
  }

  /// Returns the text that ``parts(fromText:_:_:)`` reads.
  ///
  /// - Throws: an error if the bytes are not a key of the type.
  package static func text(of key: [UInt8], _ table: Table) throws -> String {
    let values = try values(of: key, table)
    let texts = values.map { value -> String? in
      switch value {
      case let value as String: value
      case let value as UUID: value.uuidString
      case let value?: "\(value)"
      case nil: nil
      }
    }
    let isPlain = texts.allSatisfy { text in
      guard let text else { return false }
      return texts.count == 1 || !text.contains(",")
    }
    guard isPlain, texts.first??.hasPrefix("[") == false else {
      var json = JSONText()
      json.appendKey(values, isArray: true)
      return json.text
    }
    return texts.compactMap(\.self).joined(separator: ",")
  }
}
