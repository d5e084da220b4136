import Foundation

/// Objects that only hold each other, one the next: a list of messages each of which links the one before it.
///
/// The release of the first would release the second inside of it, and so on, as deep as the chain is long.
/// So an object that ends hands the objects that it alone holds to the outermost release on the thread, which
/// releases one after another.
enum ObjectChain {
  /// The objects that are still to be released on a thread.
  private final class Waiting {
    var objects: [ObjectBase] = []
  }

  private static let waiting: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Takes the objects out of an object that is ending: those that hold others and have no other reference.
  static func takeApart(_ object: ObjectBase) {
    Misfits.forget(object)
    guard let waiting else { return }
    var rest: [ObjectBase] = []
    for offset in object.descriptor.heldObjectOffsets {
      // SAFETY: the value of a link is a reference or nil, and is the wrapper's first field; the object is ending, so
      // that there is no other use of it.
      let place = UnsafeMutableRawPointer(Unmanaged.passUnretained(object).toOpaque() + offset)
        .assumingMemoryBound(to: ObjectBase?.self)
      guard place.pointee != nil else { continue }
      var held = place.move()
      place.initialize(to: nil)
      guard isKnownUniquelyReferenced(&held), let held, held._holdsObjects else { continue }
      rest.append(held)
    }
    for offset in object.descriptor.heldValueOffsets {
      // SAFETY: as above, for values of any type.
      let place = UnsafeMutableRawPointer(Unmanaged.passUnretained(object).toOpaque() + offset)
        .assumingMemoryBound(to: AnyRealmValue.self)
      var held = object.takeObjects(from: place)
      for index in held.indices {
        // Out of the array: the last of several references to one object is its only one.
        var one = held[index]
        held[index] = nil
        guard isKnownUniquelyReferenced(&one), let object = one, object._holdsObjects else { continue }
        rest.append(object)
      }
    }
    if rest.isEmpty { return }
    if let outer = pthread_getspecific(waiting) {
      // SAFETY: it was stored below on this thread by a call that has not returned, and that keeps it alive.
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
  /// Takes the objects out of a value of any type, which is none then.
  fileprivate func takeObjects(from place: UnsafeMutablePointer<AnyRealmValue>) -> [ObjectBase?] {
    guard place.pointee.hasObject else { return [] }
    let value = place.move()
    place.initialize(to: .none)
    var objects: [ObjectBase?] = []
    value.forEachObject { objects.append($0) }
    return objects
  }
}
