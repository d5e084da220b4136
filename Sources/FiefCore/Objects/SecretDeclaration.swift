/// Which properties of a class are declared secret.
///
/// A wrapper has no bit left for it, and objects need no more room for what only the prototype of their class says: a wrapper notes
/// it while a prototype is made, and in no other object.
enum SecretDeclaration {
  /// The flag of a secret property in the object that is being made.
  static var flag: UInt8 { ClassPrototype.isAnyInTheMaking ? PersistedFlags.secret : 0 }
}
