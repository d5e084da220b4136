import Foundation

/// Releases long chains of objects, such as a list of messages in which each message links to the previous
/// one.
///
/// Releasing the first object would release the second object recursively, and so on to the end of the chain,
/// which can overflow the stack. Instead, an object that is deallocated passes the objects to which it has
/// the only reference to the outermost release on the thread, which releases them one after another.
enum ObjectChain {
  /// The objects that must still be released on a thread.
  private final class ReleaseQueue {
    var objects: [ObjectBase] = []
  }

  private static let waiting: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Takes out of a deallocated object all objects that link to others and are referenced only by this
  /// object.
  static func takeApart(_ object: ObjectBase) {
    ConversionErrors.forget(object)
    CopiedLinks.forget(object)
    guard let waiting else { return }
    var rest: [ObjectBase] = []
    for offset in object.descriptor.heldObjectOffsets {
      // SAFETY: the value of a link is a reference or nil, and is the wrapper's first field. The object is
      // being deallocated, so nothing else uses it.
      let place = UnsafeMutableRawPointer(Unmanaged.passUnretained(object).toOpaque() + offset)
        .assumingMemoryBound(to: ObjectBase?.self)
      guard place.pointee != nil else { continue }
      var held = place.move()
      place.initialize(to: nil)
      guard isKnownUniquelyReferenced(&held), let held, held._holdsObjects else { continue }
      rest.append(held)
    }
    for offset in object.descriptor.heldValueOffsets {
      // SAFETY: as above, for `AnyRealmValue` properties.
      let place = UnsafeMutableRawPointer(Unmanaged.passUnretained(object).toOpaque() + offset)
        .assumingMemoryBound(to: AnyRealmValue.self)
      var held = object.takeObjects(from: place)
      for index in held.indices {
        // The reference is moved out of the array, so that the last of several references to one object is
        // unique.
        var one = held[index]
        held[index] = nil
        guard isKnownUniquelyReferenced(&one), let object = one, object._holdsObjects else { continue }
        rest.append(object)
      }
    }
    if rest.isEmpty { return }
    if let outer = pthread_getspecific(waiting) {
      // SAFETY: it was stored below on this thread by a call that has not returned and keeps it alive.
      Unmanaged<ReleaseQueue>.fromOpaque(outer)._withUnsafeGuaranteedRef { $0.objects += rest }
      return
    }
    let own = ReleaseQueue()
    own.objects = rest
    rest = []
    pthread_setspecific(waiting, Unmanaged.passUnretained(own).toOpaque())
    while own.objects.popLast() != nil {}
    pthread_setspecific(waiting, nil)
    withExtendedLifetime(own) {}
  }
}

extension ObjectBase {
  /// Takes the objects out of an `AnyRealmValue`, which becomes `.none`.
  fileprivate func takeObjects(from place: UnsafeMutablePointer<AnyRealmValue>) -> [ObjectBase?] {
    guard place.pointee.hasObject else { return [] }
    let value = place.move()
    place.initialize(to: .none)
    return value.objects
  }
}
