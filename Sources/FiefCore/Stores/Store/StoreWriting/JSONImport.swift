import Foundation

/// The objects of a JSON document, before they are saved.
struct JSONImport {
  private(set) var objects: [Object] = []
  let places = ObjectPlaces()

  /// Creates the objects.
  ///
  /// - Throws: ``FiefError`` of code `unknownType` if the store does not have the class, or the error of the
  ///   document.
  init(of type: Object.Type, from document: Data, options: JSONOptions, store: StoreCore) throws {
    _ = try store.binding(of: type)
    var conversion = ValueConversion()
    conversion.source = .json(options)
    conversion.store = store.name
    conversion.places = places
    do {
      objects = try document.withUnsafeBytes { try Self.objects(of: type, in: $0, conversion) }
    } catch {
      throw store.described(error, type: type.className())
    }
  }

  private static func objects(
    of type: Object.Type,
    in document: UnsafeRawBufferPointer,
    _ conversion: ValueConversion
  ) throws -> [Object] {
    var objects: [Object] = []
    var parser = JSONParser(document)
    try parser.forEachElement { index, value in
      let object = type.init()
      try object.assign(value, index.map { conversion.element($0) } ?? conversion)
      objects.append(object)
    }
    return objects
  }
}
