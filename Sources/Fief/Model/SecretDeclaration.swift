import Synchronization

/// Which properties of a class are declared secret.
///
/// A wrapper has no bit left for it, and objects need no more room for what only the prototype of their class says: a wrapper notes
/// it while a prototype is made, and in no other object.
enum SecretDeclaration {
  @TaskLocal private static var isRecording = false
  /// The number of prototypes that are being made, so that other objects do not look for the value above.
  private static let prototypes = Atomic<Int>(0)

  /// Makes a prototype.
  static func recording(_ make: () -> ObjectBase) -> ObjectBase {
    prototypes.wrappingAdd(1, ordering: .relaxed)
    defer { prototypes.wrappingSubtract(1, ordering: .relaxed) }
    return $isRecording.withValue(true, operation: make)
  }

  /// The flag of a secret property in the object that is being made.
  static var flag: UInt8 {
    prototypes.load(ordering: .relaxed) > 0 && isRecording ? PersistedFlags.secret : 0
  }
}
