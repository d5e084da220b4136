import Foundation

/// One conformance from each file whose conformances are found only at run time.
///
/// Add a file here if it conforms a type of another file to a protocol of another file. No symbol refers to
/// such a file, so a linker would leave it out of a program that uses a static archive. The tests of static
/// archives find missing files. Each folder has its own list. A file that every user of the folder needs
/// refers to the list.
enum ConformanceReferences {
  static var ofObjects: [Any.Type] {
    let encodable: [any Encodable.Type] = [AnyRealmValue.self, Persisted<Int>.self]
    let values: [any Persistable.Type] = [AnyRealmValue.self, Int?.self, Int.self, URL.self, UInt.self]
    let hashable: [any Hashable.Type] = [Object.self]
    let fields: [any PersistedField.Type] = [Persisted<Int>.self]
    let literals: [any ExpressibleByArrayLiteral.Type] = [AnyRealmValue.self]
    return encodable + values + hashable + fields + literals
  }
}
