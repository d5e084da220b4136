import Foundation

/// The lifetime that a class declares, with its property.
package struct DeclaredLifetime: Sendable {
  let seconds: TimeInterval
  package let property: PropertyDescriptor
  /// Whether the property is derived, so that the store sets it.
  package let isDerived: Bool
  let maximumCount: Int?
  let maximumBytes: Int?
  let tier: Lifetime.Tier

  /// Returns `nil` if the class declares no lifetime or an invalid one. An invalid lifetime is added to
  /// `violations`.
  init?(
    _ type: ObjectBase.Type,
    name: String,
    properties: [PropertyDescriptor],
    derived: [DerivedName],
    _ violations: inout [String]
  ) {
    guard let lifetime = type.lifetime() else { return nil }
    if type is EmbeddedObject.Type {
      violations.append("\(name): an embedded object cannot have its own lifetime")
      return nil
    }
    let lookup = DeclaredProperties(type: type, typeName: name, properties: properties)
    guard
      let property = lookup.find(lifetime.property, in: "lifetime()", thing: "a lifetime", &violations)
    else { return nil }
    let place = "\(name).\(property.name)"
    let count = violations.count
    if property.field.valueType != Date.self, property.field.valueType != Date?.self {
      violations.append("\(place): a lifetime starts at a Date or Date?, not at \(property.type)")
    }
    if property.isSecret {
      violations.append(
        "\(place): a lifetime needs ranges of dates, which a secret property does not support"
      )
    }
    if !(lifetime.seconds >= 0) {
      violations.append("\(place): a lifetime cannot have \(lifetime.seconds) seconds")
    }
    for bound in [lifetime.maximumCount, lifetime.maximumBytes] {
      if let bound, bound < 1 { violations.append("\(place): the limit of a lifetime cannot be \(bound)") }
    }
    guard violations.count == count else { return nil }
    seconds = lifetime.seconds
    self.property = property
    isDerived = derived.contains { $0.column == property.column }
    maximumCount = lifetime.maximumCount
    maximumBytes = lifetime.maximumBytes
    tier = lifetime.tier
  }
}

extension DeclaredLifetime {
  /// The date of an object that was never cached or was invalidated: the earliest possible date.
  package static var never: Date { .distantPast }

  /// Returns the date since which an object must have been updated to be fresh.
  ///
  /// - Parameter seconds: the lifetime that replaces the declared one, if any.
  func limit(at now: Date, seconds: TimeInterval? = nil) -> Date {
    let first = Self.never.timeIntervalSinceReferenceDate.nextUp
    let limit = now.timeIntervalSinceReferenceDate - (seconds ?? self.seconds)
    return Date(timeIntervalSinceReferenceDate: max(first, limit))
  }

  /// Whether an object has expired.
  package func isExpired(_ object: ObjectBase, at now: Date, seconds: TimeInterval? = nil) -> Bool {
    guard let date = date(of: object) else { return true }
    // A NaN date is neither before nor after another date, so the object counts as expired.
    return !(date >= limit(at: now, seconds: seconds) && date <= now)
  }

  private func date(of object: ObjectBase) -> Date? {
    let value = object.value(of: property)
    return (value as? any OptionalValue)?.containedValue as? Date ?? value as? Date
  }
}

extension DeclaredSchema {
  /// Whether any property is secret.
  var hasSecrets: Bool { descriptors.contains { $0.properties.contains(where: \.isSecret) } }

  /// - Throws: ``FiefError`` of code `encryptionRequired` if the store is not encrypted and a class has
  ///   secret properties or requires an encrypted store.
  func checkTiers(isEncrypted: Bool, store: String) throws(FiefError) {
    if isEncrypted { return }
    for descriptor in descriptors {
      guard let property = descriptor.properties.first(where: \.isSecret) else { continue }
      throw FiefError(
        .encryptionRequired,
        "A secret property needs an encrypted store: set encryption in the store's options.",
        store: store,
        type: descriptor.name,
        property: property.name
      )
    }
    for descriptor in descriptors { try descriptor.checkTier(isEncrypted: isEncrypted, store: store) }
  }
}

extension ObjectDescriptor {
  /// - Throws: ``FiefError`` of code `encryptionRequired` if the store is not encrypted and the class
  ///   requires an encrypted store.
  func checkTier(isEncrypted: Bool, store: String) throws(FiefError) {
    guard !isEncrypted, let lifetime, lifetime.tier == .sealed else { return }
    throw FiefError(
      .encryptionRequired,
      "The lifetime of a class needs an encrypted store: set encryption in the store's options.",
      store: store,
      type: name,
      property: lifetime.property.name
    )
  }
}
