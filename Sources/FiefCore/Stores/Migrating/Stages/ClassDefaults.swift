import Foundation

/// The payloads of a new object of a class.
struct ClassDefaults {
  private var payloads: [String: [UInt8]] = [:]
  /// Whether each object gets different generated values, so that the payloads can be used for only one
  /// object.
  let hasGenerated: Bool

  init(_ descriptor: ObjectDescriptor) throws {
    hasGenerated = descriptor.dateCount > 0 || descriptor.properties.contains { $0.type.isGenerated }
    let prototype = descriptor.type.init()
    for property in descriptor.properties {
      if property.type.isGenerated {
        prototype.withFields {
          property.field.performFirstRead($0 + property.offset, owner: prototype, offset: property.offset)
        }
      }
      payloads[property.column] = try TypeEntry.defaultPayload(of: property, in: prototype)
    }
  }

  /// Returns the payload of a column, or `nil` for nil and for an empty collection.
  func payload(of column: ColumnEntry) -> [UInt8]? { payloads[column.name] }

  /// Returns the payload of a new unique value.
  static func generated(_ type: ColumnType) -> [UInt8] {
    var writer = ValueWriter()
    if type.kind == .uuid {
      withUnsafeBytes(of: UUID().uuid) { writer.append($0) }
    } else {
      ObjectId.generate().withBytes { writer.append($0) }
    }
    return writer.bytes
  }
}
