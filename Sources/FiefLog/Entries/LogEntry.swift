import Fief
public import Foundation

/// One entry of the log.
public struct LogEntry: Sendable {
  /// The time at which the entry was created.
  public var date: Date
  /// The severity of the entry.
  public var level: LogLevel
  /// The message.
  public var message: String
  /// The last path component of the source file. Empty if no line of the program created the entry, as for an
  /// event of a store.
  public var file: String
  /// The line in the source file.
  public var line: UInt
  /// The function that created the entry.
  public var function: String
  /// The name of the store that the entry concerns, or `nil` if it concerns none.
  public var store: String?
  /// The label of `StoreUsage` in effect when the entry was created, or `nil` if there was none.
  public var label: String?
  /// Further values. Handlers receive them. In ``text`` each value is shown as its type, unless
  /// `FiefError.showsValues` is set.
  public var fields: [String: LogValue]

  /// The entry as one line, such as `INFO [UserManager.swift:42 fetch(id:)] - message`, followed by its
  /// fields.
  ///
  /// Control characters in the message are escaped, so a message cannot imitate a second entry.
  public var text: String {
    let place = file.isEmpty ? "" : " [\(file):\(line) \(function)]"
    var text = "\(level.name)\(place) - \(Self.oneLine(message))"
    if !fields.isEmpty {
      let all = fields.sorted { $0.key < $1.key }.map { "\(Self.oneLine($0.key)): \(Self.shown($0.value))" }
      text += " {\(all.joined(separator: ", "))}"
    }
    return text
  }

  private static func shown(_ value: LogValue) -> String {
    FiefError.showsValues ? oneLine(value.text) : value.summary
  }

  private static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": line += "\\n"
      case "\r": line += "\\r"
      case "\t": line += "\\t"
      case _ where isControl(scalar): line += "\\u{\(String(scalar.value, radix: 16))}"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 32 || (127..<160).contains(scalar.value) || scalar.value == 0x2028
      || scalar.value == 0x2029
  }
}
