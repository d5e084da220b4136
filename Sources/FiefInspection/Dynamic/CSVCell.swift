import FiefCore
import Foundation

/// A value as a cell of a table. The cell distinguishes an empty text from `nil`.
package struct CSVCell: Sendable, Equatable {
  /// The text of the cell, without quotes.
  package var text: String
  /// Whether the cell is written in quotes even if its text needs none. This distinguishes an empty text from
  /// `nil`.
  package var isQuoted: Bool

  package init(text: String, isQuoted: Bool) {
    self.text = text
    self.isQuoted = isQuoted
  }

  /// The cell for `nil`.
  package static let empty = CSVCell(text: "", isQuoted: false)

  /// Whether the cell represents `nil`.
  package var isNil: Bool { text.isEmpty && !isQuoted }
}

extension DynamicObject {
  /// Returns the cell of a property. `$key` is the row id of an object without a primary key.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` or `damagedRecord`.
  package func cell(of name: String) throws -> CSVCell {
    if name == "$key", let key {
      do { return CSVCell(text: try DynamicKey.text(of: key.bytes, table), isQuoted: false) } catch {
        throw FiefError.described(error, store: tables.storeName, type: typeName, key: table.shown(key.bytes))
      }
    }
    guard let column = table.entry.column(named: name), column.type.isStored else {
      throw FiefError(.unknownProperty, "The type has no such property.", type: typeName, property: name)
    }
    var cell = CSVCell.empty
    do {
      try withPayload(of: column) { payload in
        guard let payload, column.type.container == .none else {
          if column.type.container == .none { return }
          cell = CSVCell(text: try json(payload, column.type), isQuoted: false)
          return
        }
        switch column.type.kind {
        case .string:
          cell = CSVCell(text: String(decoding: payload, as: UTF8.self), isQuoted: payload.isEmpty)
        case .link:
          guard let target = column.type.target.flatMap({ tables[$0] }) else { return }
          let text = try DynamicKey.text(of: [UInt8](payload), target)
          cell = CSVCell(text: text, isQuoted: text.isEmpty)
        case .any, .embedded, .bool, .int8, .int16, .int32, .int64:
          cell = CSVCell(text: try json(payload, column.type), isQuoted: false)
        default:
          var text = try json(payload, column.type)
          // The other kinds are JSON numbers, or texts without escapes.
          if text.hasPrefix("\"") { text = String(text.dropFirst().dropLast()) }
          cell = CSVCell(text: text, isQuoted: text.isEmpty)
        }
      }
    } catch {
      throw FiefError.described(
        error,
        store: tables.storeName,
        type: typeName,
        key: (key?.bytes).map(table.shown)
      )
    }
    return cell
  }

  private func json(_ payload: UnsafeRawBufferPointer?, _ type: ColumnType) throws -> String {
    var json = JSONText()
    try json.append(payload, type, tables)
    return json.text
  }
}

extension CSVCell {
  /// Returns the value of the cell, in the form in which a JSON document contains it.
  ///
  /// - Throws: ``FiefError`` of code `malformedJSON` or `invalidValue`.
  func value(_ type: ColumnType, _ tables: StoreTables, _ conversion: ValueConversion) throws -> Any {
    if isNil { return JSONNull() }
    if type.container != .none || type.kind == .any || type.kind == .embedded {
      return try JSONParser.parse(text)
    }
    switch type.kind {
    case .bool:
      switch text {
      case "true": return true
      case "false": return false
      default: return text
      }
    case .int8, .int16, .int32, .int64, .float, .double, .date: return JSONParser.number(text) ?? text
    case .link:
      guard let target = type.target.flatMap({ tables[$0] }) else { return text }
      let parts = try DynamicKey.parts(fromText: text, target, conversion)
      return parts.map { $0 ?? JSONNull() }
    default: return text
    }
  }
}
