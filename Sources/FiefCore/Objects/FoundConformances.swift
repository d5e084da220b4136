import Foundation

/// Conformances that are searched while a program runs, and whose file nothing else refers to: one of each file.
///
/// A file belongs here that conforms a type of another file to a protocol of another one. A linker would leave it out of a
/// program with a static archive, since no symbol leads to it. The tests of static archives find the ones that are missing.
/// Each folder has its own, and a file refers to them that is in every program which uses the folder.
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
