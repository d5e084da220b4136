import Foundation

/// Releases chains of objects that hold only each other, such as a list of messages in which each links to
/// the previous one.
///
/// Releasing the first object would release the second recursively, and so on, as deep as the chain is long.
/// So an object that is deallocated passes the objects that only it holds to the outermost release on the
/// thread, which releases them one after another.
enum ObjectChain {
  /// The objects that must still be released on a thread.
  private final class Waiting {
    var objects: [ObjectBase] = []
  }

  private static let waiting: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Takes the objects out of an ending object that hold other objects and have no other reference.
  static func takeApart(_ object: ObjectBase) {
    Misfits.forget(object)
    guard let waiting else { return }
    var rest: [ObjectBase] = []
    for offset in object.descriptor.heldObjectOffsets {
      // SAFETY: the value of a link is a reference or nil, and is the wrapper's first field. The object is
      // ending, so nothing else uses it.
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
      Unmanaged<Waiting>.fromOpaque(outer)._withUnsafeGuaranteedRef { $0.objects += rest }
      return
    }
    let own = Waiting()
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
    var objects: [ObjectBase?] = []
    value.forEachObject { objects.append($0) }
    return objects
  }
}
