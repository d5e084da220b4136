/// The conversion of the words of a package index to values of the classes.
///
/// The migrations have functions like these of their own: what an old store becomes must not change when the
/// application does.
extension Package.Importance {
  /// A priority that Debian's policy does not have says no more than "optional" does.
  init(priority: String, isEssential: Bool) {
    switch (isEssential, priority) {
    case (true, _): self = .essential
    case (_, "required"): self = .required
    case (_, "important"): self = .important
    case (_, "standard"): self = .standard
    case (_, "extra"): self = .extra
    default: self = .optional
    }
  }
}

extension Package {
  /// The index counts in KiB; a size that no file can have is the largest one.
  static func bytes(ofKibibytes size: Int) -> Int {
    let (bytes, isTooLarge) = size.multipliedReportingOverflow(by: 1024)
    return isTooLarge ? .max : max(0, bytes)
  }
}

extension Int {
  /// The sum of sizes, or the largest number where there is none: sizes are what an index says.
  func addingUpTo(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

extension Tag {
  /// `role::program` is the value `program` of the facet `role`; a tag without a facet is all value.
  static func parts(of name: String) -> (facet: String, value: String) {
    guard let border = name.firstRange(of: "::") else { return ("", name) }
    return (String(name[..<border.lowerBound]), String(name[border.upperBound...]))
  }
}

extension Section {
  /// `non-free/fonts` is `fonts` in `non-free`; a section without an area is in `main`.
  static func parts(of name: String) -> (area: String, topic: String) {
    guard let border = name.firstIndex(of: "/") else { return ("main", name) }
    return (String(name[..<border]), String(name[name.index(after: border)...]))
  }
}
