/// Sessions that go on and that are over, with and without what they may have, and two accounts with one address.
enum AuthSample4 {
  static func fill(_ objects: NewestObjects) throws {
    let ada = try objects.create(
      "User",
      [
        "id": Sample.uuid(1), "name": "Ada Ångström", "email": "ada.1@example.org", "role": "administrator",
        "registeredAt": Sample.date(0), "lastSeenAt": Sample.date(99.5),
      ]
    )
    try objects.create("User", ["id": Sample.uuid(2), "role": "staff", "registeredAt": Sample.date(-1e9)])
    try objects.create(
      "User",
      ["id": Sample.uuid(3), "email": "ada.1@example.org", "registeredAt": Sample.date(2e9)]
    )
    let phone = try objects.create("Device", ["id": Sample.uuid(31), "name": "phone 📱", "owner": ada])
    let kiosk = try objects.create("Device", ["id": Sample.uuid(32), "name": Sample.longText])
    let token = try objects.create(
      "Token",
      ["id": Sample.uuid(21), "expiresAt": Sample.date(3600), "scopes": ["shop", "größe"]]
    )
    try objects.create("Token", ["id": Sample.uuid(22), "expiresAt": Sample.date(0)])
    try objects.create(
      "Session",
      [
        "id": Sample.uuid(11), "user": ada, "device": phone, "startedAt": Sample.date(1),
        "tokens": [token, token],
      ]
    )
    try objects.create("Session", ["id": Sample.uuid(12), "device": kiosk, "startedAt": Sample.date(2)])
    try objects.create(
      "PastSession",
      [
        "id": Sample.uuid(13), "user": ada, "device": phone, "startedAt": Sample.date(3),
        "endedAt": Sample.date(4),
      ]
    )
    try objects.create("PastSession", ["id": Sample.uuid(14), "startedAt": Sample.date(5)])
  }
}
