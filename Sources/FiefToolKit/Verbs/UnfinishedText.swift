import Fief
import FiefConsole
import Foundation

/// Formats the unfinished parts of writes to several stores as JSON.
enum UnfinishedText {
  static func document(_ write: InDoubtTransaction) -> JSONValue {
    [
      "id": .string(write.id.uuidString),
      "role": .string(write.role.rawValue),
      "otherStore": .string(write.otherStore),
      "relativePath": .string(write.relativePath),
      "date": .string(write.date.formatted(.iso8601)),
    ]
  }
}
