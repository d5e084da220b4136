import Fief
public import Foundation

/// One entry of the log.
public struct LogEntry: Sendable {
  /// When it was made.
  public var date: Date
  /// How serious it is.
  public var level: LogLevel
  /// The message.
  public var message: String
  /// The last path component of the file that made it; empty for an entry that no line of the program made, as of a store's event.
  public var file: String
  /// The line in the file.
  public var line: UInt
  /// The function that made it.
  public var function: String
  /// The store that it is about; nil for none.
  public var store: String?
  /// The label of `StoreUsage` that it was made under; nil for none.
  public var label: String?
  /// Further values. Handlers get them; in ``text`` each is shown as its type, unless `FiefError.showsValues` is set.
  public var fields: [String: LogValue]

  /// The entry in one line, as in `INFO [UserManager.swift:42 fetch(id:)] - message`, with its fields behind it.
  ///
  /// Control characters of the message are escaped, so that no message can look like two entries.
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
