import Fief

/// A derived property of a type.
struct GraphDerivedRef: Sendable, Hashable {
  let kind: GraphKind
  let name: String

  /// The derived properties in the order of their declaration: the numbers, then texts and times.
  static let names: [GraphKind: [String]] = [
    .person: ["staffCount", "staffMost", "friendsCount", "friendsSum", "searchLabel", "changedAt"],
    .team: [
      "membersCount", "membersSum", "membersLeast", "audienceCount", "audienceMost", "guestsCount",
      "guestsSum",
      "staffTotal", "changedAt",
    ],
    .city: ["residentsCount", "residentsSum", "residentsLeast", "visitorsCount", "searchLabel"],
    .note: ["aboutNumber", "aboutStaff"],
  ]

  static let staffCount = GraphDerivedRef(kind: .person, name: "staffCount")
  /// What is derived of the number of the staff.
  static let ofStaffCount = [
    GraphDerivedRef(kind: .team, name: "staffTotal"), GraphDerivedRef(kind: .note, name: "aboutStaff"),
  ]

  /// Those that are derived in this process.
  private static let derived: Set<GraphDerivedRef> = {
    let variation = GraphVariation.current
    let all = names.flatMap { kind, names in names.map { GraphDerivedRef(kind: kind, name: $0) } }
    return Set(all.filter { variation?.isDerived($0) ?? true })
  }()

  var isDerived: Bool { Self.derived.contains(self) }

  /// The places of a type's numbers that are derived in this process.
  static let places: [GraphKind: [Int]] = Dictionary(
    uniqueKeysWithValues: names.map { kind, names in
      (kind, names.indices.filter { GraphDerivedRef(kind: kind, name: names[$0]).isDerived })
    }
  )
}

extension GraphKind {
  /// Those of the declared derivations, in the order of the names, that this process has.
  func derivations(_ declared: [DerivedProperty]) -> [DerivedProperty] {
    (GraphDerivedRef.places[self] ?? []).map { declared[$0] }
  }

  func isDerived(_ name: String) -> Bool { GraphDerivedRef(kind: self, name: name).isDerived }
}
