import Fief
import FiefTesting
import TestEffort
import Testing

/// Rules that meet: what cascades and what denies in one deletion, keys and classes of every kind.
@Suite(.timeLimit(.minutes(20))) struct MixedRuleTests {
  /// Boxes one inside of the other, the innermost with an item that is watched.
  private func fill(_ repository: MixRepository) throws {
    try repository.write { tx in
      let boxes = (0..<4).map { MixBox($0) }
      for index in 0..<3 { boxes[index].inner = boxes[index + 1] }
      for box in boxes {
        box.items.append(MixItem(box.id * 10 + 1, weight: 1, points: 1))
        box.tagged.insert(MixItem(box.id * 10 + 2, weight: 2, points: 2))
        box.named["a.b"] = MixItem(box.id * 10 + 3)
        box.named[""] = .some(nil)
        box.lid = MixLid(value: ["label": "lid \(box.id)"])
      }
      try tx.add(boxes[0])
      try tx.add(MixGuard(1, boxes[3].named["a.b"] ?? nil))
    }
  }

  private func counts(_ repository: MixRepository) throws -> [Int] {
    try repository.read { snapshot in
      [
        snapshot.objects(MixBox.self).count, snapshot.objects(MixItem.self).count,
        snapshot.objects(MixGuard.self).count,
      ]
    }
  }

  @Test(arguments: StoreKind.allCases) func aDenialDeepInsideChangesNothing(_ kind: StoreKind) throws {
    try MixRepository.with(kind, MixTypes.boxes) { repository in
      try fill(repository)
      for attempt in 0..<3 {
        let error = repository.expectCode(.deletionDenied) {
          switch attempt {
          case 0: try repository.write { try $0.delete(ofType: MixBox.self, forPrimaryKeys: [0]) }
          case 1: try repository.write { try $0.deleteAll(MixBox.self) }
          default: try repository.write { try $0.delete([try repository.box(0)]) }
          }
        }
        #expect(error?.type == "MixItem" && error?.property == "guards" && error?.key == "33")
        #expect(error?.showingValues().details == ["related object: MixGuard[1]"] && error?.store == "mixed")
        #expect(try counts(repository) == [4, 12, 1])
      }
      // A write that catches it goes on, and finds everything as it was.
      try repository.write { tx in
        let outer = try #require(try tx.object(ofType: MixBox.self, forPrimaryKey: 0))
        let inner = try #require(outer.inner?.inner?.inner)
        #expect(throws: FiefError.self) { try tx.delete(outer) }
        #expect(outer.items.map(\.id) == [1] && inner.named["a.b"]??.id == 33 && inner.tagged.count == 1)
        #expect(outer.count == 1 && outer.weight == 1)
        inner.lid?.label = "changed"
      }
      #expect(try repository.box(3).lid?.label == "changed")
      // The objects that deny the deletion may be deleted in the same call.
      let guards = try repository.read { snapshot in snapshot.objects(MixGuard.self).map { $0 as Object } }
      try repository.write { try $0.delete(guards + [try repository.box(0)]) }
      #expect(try counts(repository) == [0, 0, 0])
    }
  }

  @Test(arguments: StoreKind.allCases) func thoseThatDenyEachOtherGoTogether(_ kind: StoreKind) throws {
    try MixRepository.with(kind, MixTypes.boxes) { repository in
      try repository.write { tx in
        let guards = (0..<3).map { MixGuard($0) }
        for index in 0..<3 { guards[index].partner = guards[(index + 1) % 3] }
        try tx.add(guards)
        let alone = MixGuard(9)
        alone.partner = alone
        try tx.add(alone)
      }
      func delete(_ keys: [Int]) throws {
        try repository.write { try $0.delete(ofType: MixGuard.self, forPrimaryKeys: keys) }
      }
      for keys in [[0], [0, 1], [2, 1]] { _ = repository.expectCode(.deletionDenied) { try delete(keys) } }
      // An object's own link does not deny its deletion.
      try delete([9])
      try delete([2, 0, 1])
      #expect(try counts(repository) == [0, 0, 0])
    }
  }

  @Test(arguments: StoreKind.allCases) func whatCascadesMayBreakALimitOfAnother(_ kind: StoreKind) throws {
    try RuleRepository.forBoth([RuleTeam.self, RulePlayer.self, RuleTrainer.self]) { repository in
      let trainer = RuleTrainer(1)
      let team = RuleTeam("exact", (1...2).map { RulePlayer($0) }, trainer: trainer)
      // Just as many as there have to be, then just as many as there may be.
      try repository.saveNow([trainer])
      team.players.append(RulePlayer(3))
      try repository.saveNow([team], .all)
      try repository.write { tx in
        let team = try #require(try tx.object(ofType: RuleTeam.self, forPrimaryKey: "exact"))
        // Too many, none, and too few by turns; only the commit counts.
        for id in 10..<20 { team.players.append(RulePlayer(id)) }
        try tx.delete(ofType: RulePlayer.self, forPrimaryKeys: [1, 2, 3])
        #expect(team.captain == nil && team.players.count == 10)
        team.players.removeAll()
        #expect(tx.objects(RuleTeam.self).where { $0.players.count == 0 }.count == 1)
        team.players.append(objectsIn: [RulePlayer(30), RulePlayer(31)])
        team.captain = team.players.last
      }
      #expect(repository.object(ofType: RuleTeam.self, forPrimaryKey: "exact")?.captain?.id == 31)
    }
    try MixRepository.with(kind, MixTypes.boxes) { repository in
      try repository.write { tx in
        let box = MixBox(1)
        box.pair.append(objectsIn: [MixItem(1), MixItem(2)])
        try tx.add(box)
      }
      let error = repository.expectCode(.validationFailed) {
        try repository.write { tx in
          let box = try #require(try tx.object(ofType: MixBox.self, forPrimaryKey: 1))
          // The same object twice is two elements.
          box.pair.append(box.pair[0])
          let other = MixBox(2)
          for id in 5..<9 { other.pair.append(MixItem(id)) }
          try tx.add(other)
        }
      }
      #expect(
        error?.showingValues().details == [
          "MixBox[1].pair: 3 objects, at most 2", "MixBox[2].pair: 4 objects, at most 2",
        ]
      )
      #expect(try counts(repository) == [1, 2, 0])
    }
  }

  @Test(arguments: StoreKind.allCases) func largeSetsAndMapsCascade(_ kind: StoreKind) throws {
    try MixRepository.with(kind, MixTypes.boxes) { repository in
      // Collections of 1,200 links are large.
      let count = TestEffort.count(kind == .encrypted ? 1_200 : 300, more: 1_200)
      try repository.write { tx in
        let box = MixBox(1)
        for id in 0..<count {
          box.tagged.insert(MixItem(id))
          box.named["key.\(id)"] = MixItem(count + id)
        }
        try tx.add(box)
        let other = MixBox(2)
        other.items.append(objectsIn: box.tagged.filter { $0.id % 100 == 0 })
        try tx.add(other)
        try tx.add(MixGuard(1, try tx.object(ofType: MixItem.self, forPrimaryKey: count * 2 - 1)))
      }
      _ = repository.expectCode(.deletionDenied) {
        try repository.write { try $0.delete(ofType: MixBox.self, forPrimaryKeys: [1]) }
      }
      #expect(try counts(repository) == [2, count * 2, 1])
      try repository.write { try $0.deleteAll(MixGuard.self) }
      try repository.write { try $0.delete(ofType: MixBox.self, forPrimaryKeys: [1]) }
      #expect(try counts(repository) == [1, 0, 0])
      let other = try repository.box(2)
      #expect(other.items.isEmpty && other.count == 0 && other.points == 0)
    }
  }

  @Test(arguments: StoreKind.allCases) func aLinkOfAPartStaysWhenItsTargetGoes(_ kind: StoreKind) throws {
    try MixRepository.with(kind, MixTypes.boxes) { repository in
      try repository.write { tx in
        let box = MixBox(1)
        box.lid = MixLid(value: ["label": "a"])
        box.lid?.item = MixItem(5, points: 1)
        try tx.add(box)
      }
      try repository.write { tx in
        let box = try #require(try tx.object(ofType: MixBox.self, forPrimaryKey: 1))
        #expect(box.lid?.item?.points == 1)
        try tx.delete(ofType: MixItem.self, forPrimaryKeys: [5])
        // The owner of the part is written again, with a link that has been followed: that does not bring the
        // target back.
        box.lid?.label = "b"
      }
      #expect(repository.store().object(ofType: MixItem.self, forPrimaryKey: 5) == nil)
      #expect(try repository.box(1).lid?.label == "b")
      #expect(try repository.box(1).lid?.item == nil)
      try repository.read { #expect($0.objects(MixBox.self).where { $0.lid.item.points == 1 }.isEmpty) }
      // An object that gets the key later is the target of the link, as with the rule noAction.
      try repository.write { try $0.add(MixItem(5, points: 2)) }
      #expect(try repository.box(1).lid?.item?.points == 2)
    }
  }

  @Test(arguments: StoreKind.allCases) func keysOfSeveralPartsAndLongOnesAreTargets(_ kind: StoreKind) throws
  {
    try MixRepository.with(kind, [MixPlace.self, MixTour.self]) { repository in
      let long = String(repeating: "x", count: 300)
      let names = ["a", String(repeating: "n", count: 400), String(repeating: "n", count: 400) + "o"]
      let places = [MixPlace("ch", 1), MixPlace("ch", 2), MixPlace(long, 1), MixPlace(long, 2)]
      try repository.write { tx in
        for name in names { try tx.add(MixTour(name, places), update: .all) }
        let tours = try tx.objects(MixTour.self).all()
        tours[0].next = tours[1]
        tours[1].next = tours[2]
      }
      func place(_ country: String, _ number: Int) throws -> MixPlace {
        try #require(repository.object(ofType: MixPlace.self, forPrimaryKey: [country, number] as [Any]))
      }
      for (country, number) in [("ch", 1), (long, 2)] {
        let place = try place(country, number)
        #expect(place.tours.map(\.name) == names && place.tourCount == 3 && place.latest == names[2])
      }
      #expect(try repository.check().problems == [])
      try repository.write { tx in
        let place = try #require(try tx.object(ofType: MixPlace.self, forPrimaryKey: [long, 1] as [Any]))
        let tour = try #require(try tx.object(ofType: MixTour.self, forPrimaryKey: names[1]))
        place.tours.remove(tour)
        #expect(place.tourCount == 2 && tour.stops.count == 3 && place.tours.count == 2)
        place.tours.append(tour)
        #expect(place.tourCount == 3 && tour.stops.last === place)
        try tx.delete(ofType: MixPlace.self, forPrimaryKeys: [["ch", 1], [long, 2]] as [[Any]])
        #expect(tour.start == nil && tour.stops.count == 2)
      }
      try repository.write { try $0.delete(ofType: MixTour.self, forPrimaryKeys: [names[1]]) }
      let left = try place(long, 1)
      #expect(left.tours.map(\.name) == ["a"] && left.tourCount == 1 && left.latest == "a")
      #expect(repository.object(ofType: MixTour.self, forPrimaryKey: "a")?.next == nil)
      let error = repository.expectCode(.validationFailed) {
        try repository.write { try $0.deleteAll(MixPlace.self) }
      }
      #expect(error?.property?.hasSuffix("stops") == true && error?.key == "a")
    }
  }

  @Test(arguments: StoreKind.allCases) func subclassesHaveTheRulesOfTheirClass(_ kind: StoreKind) throws {
    try MixRepository.with(kind, [MixAnimal.self, MixDog.self, MixToy.self]) { repository in
      try repository.write { tx in
        let dog = MixDog(value: ["id": 1])
        dog.toys.append(objectsIn: [MixToy(1), MixToy(2)])
        dog.bone = MixToy(3)
        let second = MixDog(value: ["id": 2])
        second.friends.append(objectsIn: [dog, second])
        let animal = MixAnimal(value: ["id": 1])
        animal.toys.append(objectsIn: [MixToy(4), dog.toys[0]].compactMap { $0 })
        let objects: [Object] = [dog, second, animal]
        try tx.add(objects)
        #expect(dog.friendOf.map(\.id) == [2])
      }
      try repository.write { try $0.delete(ofType: MixDog.self, forPrimaryKeys: [1]) }
      try repository.read { snapshot in
        #expect(snapshot.objects(MixToy.self).map(\.id) == [4])
        #expect(snapshot.objects(MixAnimal.self).first?.toys.map(\.id) == [4])
        #expect(snapshot.objects(MixDog.self).map { $0.friends.map(\.id) } == [[2]])
      }
    }
  }

  @Test(arguments: StoreKind.allCases) func aReaderOfTheStoreHasDerivedValuesAndCannotChangeThem(
    _ kind: StoreKind
  ) throws {
    guard kind.outlivesClosing else { return }
    try MixRepository.with(kind, MixTypes.boxes) { repository in
      try fill(repository)
      repository.close()
      var reader = repository
      reader.storeOptions.isReadOnly = true
      let box = try reader.box(1)
      #expect(box.count == 1 && box.weight == 1 && box.lightest == 1 && box.named["a.b"]??.id == 13)
      #expect(box.items.first?.boxes.map(\.id) == [1])
      _ = repository.expectCode(.readOnlyStore) { try reader.write { try $0.deleteAll(MixBox.self) } }
      reader.closeChecked()
    }
  }
}
