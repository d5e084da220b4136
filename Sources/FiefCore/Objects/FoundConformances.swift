import Foundation

/// Conformances that are looked up at run time and whose file is not referenced otherwise: one conformance
/// from each such file.
///
/// Add a file here if it conforms a type of another file to a protocol of another file. No symbol leads to
/// such a file, so a linker would leave it out of a program that uses a static archive. The tests of static
/// archives find missing ones. Each folder has its own list, which is referenced by a file that is in every
/// program that uses the folder.
enum FoundConformances {
  static var ofObjects: [Any.Type] {
    let encodable: [any Encodable.Type] = [AnyRealmValue.self, Persisted<Int>.self]
    let values: [any Persistable.Type] = [AnyRealmValue.self, Int?.self, Int.self, URL.self, UInt.self]
    let hashable: [any Hashable.Type] = [Object.self]
    let fields: [any PersistedField.Type] = [Persisted<Int>.self]
    let literals: [any ExpressibleByArrayLiteral.Type] = [AnyRealmValue.self]
    return encodable + values + hashable + fields + literals
  }
}
