/// What version 4 has, and cards with points: with changes, without any, with the largest number.
enum PaymentsSample5 {
  static func fill(_ objects: NewestObjects) throws {
    try PaymentsSample4.fill(objects)
    try objects.create(
      "PointsCard",
      ["userID": Sample.uuid(1), "points": 2, "changedAt": Sample.date(60)]
    )
    try objects.create("PointsCard", ["userID": Sample.uuid(2), "points": Int.max])
    try objects.create(
      "PointTransaction",
      [
        "id": Sample.uuid(11), "userID": Sample.uuid(1), "points": 12, "reason": "order 1",
        "at": Sample.date(0),
      ]
    )
    try objects.create(
      "PointTransaction",
      [
        "id": Sample.uuid(12), "userID": Sample.uuid(1), "points": -10, "reason": Sample.longText,
        "at": Sample.date(60),
      ]
    )
    try objects.create("PointTransaction", ["id": Sample.uuid(13), "userID": Sample.uuid(3)])
  }
}
