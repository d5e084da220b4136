/// Determines which properties of a class are declared secret.
///
/// The flags of a wrapper have no free bit for secrecy, and only the prototype of a class needs it. A wrapper
/// therefore sets the flag only while a prototype is being created.
enum SecretDeclaration {
  /// The flag of a secret property in an object that is being created.
  static var flag: UInt8 { ClassPrototype.isAnyInTheMaking ? PersistedFlags.secret : 0 }
}
