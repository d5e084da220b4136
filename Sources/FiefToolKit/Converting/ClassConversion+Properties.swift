extension ClassConversion {
  private static let containers: Set<String> = ["List", "MutableSet", "Map"]
  private static let wrappers: Set<String> = ["RealmOptional", "RealmProperty"]
  /// Objective-C types and the types that replace them in a store.
  private static let foreignTypes = [
    "NSDate": "Date", "NSData": "Data", "NSString": "String", "NSNumber": "a number type of Swift",
    "Any": "AnyRealmValue",
    "AnyObject": "AnyRealmValue",
  ]

  mutating func convert(property: SwiftDeclaration) {
    guard property.attribute("Persisted") == nil, source.modifier("static", "class", of: property) == nil
    else { return }
    let names = property.bindings.map { source.tokens[$0.name].name }
    let ignoredNames = names.filter { ignored.contains($0) }
    let isDynamic = source.modifier("dynamic", of: property) != nil
    if ignoredNames.count == names.count || property.bindings.allSatisfy(\.isComputed) {
      return removeObjectiveC(of: property)
    }
    let container = containerName(of: property.bindings[0])
    guard isDynamic || container != nil else { return noteStored(property, names) }
    if let reason = reasonIgnored(property, isDynamic: isDynamic) {
      return note(property, "'\(names.joined(separator: "', '"))' was not converted: \(reason)")
    }
    if names.count > 1 {
      leftIgnored.formUnion(ignoredNames)
      return note(
        property,
        "'\(names.joined(separator: "', '"))' were not converted: declare each property separately"
      )
    }
    if let modifier = source.modifier("lazy", "weak", "unowned", "override", of: property) {
      return note(property, "'\(names[0])' was not converted: it is \(source.text(modifier))")
    }
    if let container { return convert(property, container: container, names[0]) }
    convert(dynamic: property, names[0])
  }

  /// Returns the reason if Realm does not store a property, although it looks like a stored one.
  private func reasonIgnored(_ property: SwiftDeclaration, isDynamic: Bool) -> String? {
    if hasPersisted { return "Realm does not store it, because other properties of the class are @Persisted" }
    let isHidden = source.modifier("private", "fileprivate", of: property) != nil && hasObjectiveCMembers
    guard isDynamic, property.attribute("objc") == nil, isHidden || property.attribute("nonobjc") != nil
    else { return nil }
    return "Objective-C does not see it, so Realm does not store it"
  }

  // MARK: @objc dynamic

  private mutating func convert(dynamic property: SwiftDeclaration, _ name: String) {
    let binding = property.bindings[0]
    if source.text(property.keyword) == "let" {
      return note(property, "'\(name)' was not converted: it is a constant")
    }
    if property.attribute("objc")?.hasArguments == true {
      return note(property, "'\(name)' was not converted: it has a different name in Objective-C")
    }
    let type = binding.type ?? binding.initializer.map { $0.lowerBound..<$0.lowerBound + 1 }
    if let type, let swift = Self.foreignTypes[source.text(type.lowerBound)] {
      let foreign = source.text(type.lowerBound)
      return note(property, "'\(name)' was not converted: a store cannot store \(foreign); use \(swift)")
    }
    if let type = binding.type, source.text(type.upperBound - 1) == "!" {
      file.replace(source.tokens[type.upperBound - 1].range, with: "?")
      note(property, "'\(name)' is now an optional instead of an implicitly unwrapped optional")
    }
    if binding.block != nil {
      note(
        property,
        "the observers of '\(name)' run at every assignment; Realm does not run them for stored objects"
      )
    }
    persist(property, arguments: declaredIndex(name))
    count(name)
  }

  private func declaredIndex(_ name: String) -> String {
    primaryKey.contains(name) ? "(primaryKey: true)" : indexed.contains(name) ? "(indexed: true)" : ""
  }

  mutating func removeObjectiveC(of property: SwiftDeclaration) {
    if let attribute = property.attribute("objc") { file.remove(attribute.tokens) }
    if let modifier = source.modifier("dynamic", of: property) { file.remove(modifier..<modifier + 1) }
  }

  /// Adds a note about a stored property that Realm does not manage, since this is rarely intended.
  private mutating func noteStored(_ property: SwiftDeclaration, _ names: [String]) {
    if !hasPersisted, property.bindings.contains(where: mayBeCollection) {
      return note(
        property,
        "'\(names.joined(separator: "', '"))' was not converted: if the value is a list, a set or a map, declare @Persisted var with its type"
      )
    }
    guard source.text(property.keyword) == "var", property.attribute("objc") != nil || hasObjectiveCMembers,
      property.attributes.allSatisfy({ $0.name == "objc" }),
      source.modifier("lazy", "weak", "unowned", of: property) == nil
    else { return }
    note(
      property,
      "'\(names.joined(separator: "', '"))' was not converted: it is not dynamic; use @Persisted to store it"
    )
  }

  /// Replaces `@objc` with `@Persisted` or inserts `@Persisted`, and turns a constant into a variable.
  private mutating func persist(_ property: SwiftDeclaration, arguments: String) {
    let wrapper = "@Persisted\(arguments)"
    let first = property.modifiers.first ?? property.keyword
    let dynamic = source.modifier("dynamic", of: property)
    var isWritten = false
    if let attribute = property.attribute("objc") {
      file.replace(source.bytes(of: attribute.tokens), with: wrapper)
      isWritten = true
    } else if first == dynamic {
      file.replace(source.tokens[first].range, with: wrapper)
      isWritten = true
    } else if first != property.keyword {
      let place = source.tokens[first].range.lowerBound
      file.replace(place..<place, with: wrapper + " ")
      isWritten = true
    }
    if let dynamic, dynamic != first || property.attribute("objc") != nil {
      file.remove(dynamic..<dynamic + 1)
    }
    if source.text(property.keyword) == "let" || !isWritten {
      file.replace(source.tokens[property.keyword].range, with: isWritten ? "var" : wrapper + " var")
    }
  }

  // MARK: Collections and wrappers

  /// Returns `List`, `RealmOptional`, `LinkingObjects` and so on if the property has such a type.
  private func containerName(of binding: SwiftDeclaration.Binding) -> String? {
    let call = binding.initializer.flatMap { InitializerCall(source, $0) }
    guard let name = binding.type.map({ TypeName(source, $0)?.name }) ?? call?.type else { return nil }
    return Self.containers.contains(name) || Self.wrappers.contains(name) || name == "LinkingObjects"
      ? name : nil
  }

  /// Whether the initial value, without a declared type, may be a collection that Realm finds in the object.
  private func mayBeCollection(_ binding: SwiftDeclaration.Binding) -> Bool {
    guard binding.type == nil, let value = binding.initializer, source.text(value.upperBound - 1) == ")"
    else { return false }
    if value.contains(where: { Self.containers.contains(source.text($0)) }) { return true }
    // A call of a method or a function; `UUID()` is the initializer of a different type.
    let function = source.partner(of: value.upperBound - 1) - 1
    return function >= value.lowerBound && source.tokens[function].kind == .word
      && source.text(function) != "init" && source.text(function).first?.isLowercase == true
  }

  private mutating func convert(_ property: SwiftDeclaration, container: String, _ name: String) {
    let binding = property.bindings[0]
    let call = binding.initializer.flatMap { InitializerCall(source, $0) }
    let generics = binding.type.flatMap { TypeName(source, $0)?.generics } ?? call?.generics
    let end = binding.initializer?.upperBound ?? binding.type?.upperBound ?? binding.name + 1
    let rest = source.tokens[binding.name].range.upperBound..<source.tokens[end - 1].range.upperBound
    let known =
      binding.block == nil && !source.hasComment(in: rest)
      && (call != nil || binding.initializer == nil && Self.containers.contains(container))
    guard known, let new = declaration(container, generics, call?.arguments ?? []) else {
      return note(
        property,
        "'\(name)' was not converted: the initializer of its \(container) is not supported"
      )
    }
    file.replace(rest, with: ": " + new.type)
    persist(property, arguments: container == "LinkingObjects" ? new.arguments : declaredIndex(name))
    if Self.wrappers.contains(container) { unwrapped.insert(name) }
    count(name)
  }

  /// Returns the type to write after the name, with an initial value, and the arguments of `@Persisted`.
  private func declaration(_ container: String, _ generics: String?, _ arguments: [Range<Int>]) -> (
    type: String, arguments: String
  )? {
    switch container {
    case "LinkingObjects":
      guard arguments.count == 2, source.text(arguments[0].lowerBound) == "fromType",
        source.text(arguments[1].lowerBound) == "property", arguments[0].count > 4, arguments[1].count > 2,
        source.text(arguments[0].upperBound - 1) == "self"
      else { return nil }
      let type = source.text(of: arguments[0].lowerBound + 2..<arguments[0].upperBound - 2)
      let property = arguments[1].lowerBound + 2..<arguments[1].upperBound
      let text = source.propertyName(property).map { "\"\($0)\"" } ?? source.text(of: property)
      return ("LinkingObjects<\(generics ?? type)>", "(originProperty: \(text))")
    case "RealmOptional", "RealmProperty":
      guard let generics, arguments.count < 2 else { return nil }
      let type = container == "RealmOptional" ? generics + "?" : generics
      guard var value = arguments.first else { return (type, "") }
      if value.count > 2, source.text(value.lowerBound) == "value", source.text(value.lowerBound + 1) == ":" {
        value = value.lowerBound + 2..<value.upperBound
      }
      let text = source.text(of: value)
      return (text == "nil" ? type : type + " = " + text, "")
    default:
      guard let generics, arguments.isEmpty else { return nil }
      return ("\(container)<\(generics)>", "")
    }
  }
}
