import Fief

/// The rows about objects with a link to one of a hundredth as many, without and with properties that are derived of
/// them.
extension FiefRows {
  func derivedFigure(of row: String, _ times: Int) throws -> Figure? {
    switch row {
    case "D_link":
      return try inserting(times, [PlainRoom.self, PlainVisitor.self], PlainRoom.self) { persons in
        let rooms = (0..<rooms).map { PlainRoom(value: ["id": $0]) }
        return persons.map { PlainVisitor($0, room: rooms[$0.id % rooms.count]) }
      }
    case "D_sum":
      return try inserting(times, [CountedRoom.self, CountedVisitor.self], CountedRoom.self) { persons in
        let rooms = (0..<rooms).map { CountedRoom(value: ["id": $0]) }
        return persons.map { CountedVisitor($0, room: rooms[$0.id % rooms.count]) }
      }
    default: return nil
    }
  }

  private var rooms: Int { max(10, workload.count / 100) }

  private func inserting<Room: Object>(
    _ times: Int,
    _ types: [Object.Type],
    _ room: Room.Type,
    _ make: ([Person]) throws -> [Object]
  ) throws -> Figure {
    try repeated(times, operations: workload.count) {
      try Files.makeEmpty(work)
      defer { Files.remove(work) }
      let objects = try make(workload.persons)
      let repository = BenchmarkRepository(types, in: work)
      try repository.open()
      defer { repository.close() }
      let seconds = try Clock.time { try repository.insert(objects) }
      var sum = 0
      try repository.read { snapshot in
        try snapshot.objects(room).forEachObject { sum += ($0 as? CountedRoom)?.ages ?? 0 }
      }
      if room == CountedRoom.self { try check("D_sum", sum, workload.ageSum) }
      return seconds
    }
  }
}
