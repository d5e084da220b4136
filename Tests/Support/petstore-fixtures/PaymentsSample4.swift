/// Orders that refer to dogs, to nothing, and to what is no dog.
enum PaymentsSample4 {
  static func fill(_ objects: NewestObjects) throws {
    let euro = try objects.create("Currency", ["code": "EUR", "numeric": 978, "name": "Euro"])
    try objects.create("Currency", ["code": "XTS", "name": "", "fractionDigits": 0])
    let france = try objects.create(
      "Country",
      ["alpha3": "FRA", "code": "FR", "name": "France", "flag": "🇫🇷"]
    )
    let ball = try objects.create(
      "Product",
      [
        "sku": "EUR-BALL", "name": "Balle « géante »", "price": try Sample.decimal("3.49"), "currency": euro,
        "stock": -2, "grams": Int32.max, "labels": ["dogs", "jouets à mâcher"],
      ]
    )
    let gold = try objects.create(
      "Product",
      ["sku": "GOLD", "name": Sample.longName, "price": try Sample.decimal("0.0000000001")]
    )
    try objects.create(
      "Basket",
      ["userID": Sample.uuid(1), "wishes": [ball, gold, ball], "quantities": ["EUR-BALL": 2, "": 0]]
    )
    try objects.create("Basket", ["userID": Sample.uuid(2)])
    let first = try objects.create(
      "OrderLine",
      ["product": ball, "quantity": 3, "unitPrice": try Sample.decimal("3.49")]
    )
    let second = try objects.create(
      "OrderLine",
      ["product": gold, "unitPrice": try Sample.decimal("-0.01"), "returnedAt": Sample.date(60)]
    )
    try objects.create("OrderLine", ["quantity": Int.max])
    try objects.create(
      "Order",
      [
        "number": 1, "userID": Sample.uuid(1), "placedAt": Sample.date(0), "status": "sent", "currency": euro,
        "total": try Sample.decimal("10.46"), "lines": [first, second],
        "delivery": [
          "street": Sample.longText, "postcode": "69002", "city": "Lyon", "country": france,
        ] as [String: Any],
        "dogs": [
          "pets/Dog/F1EF0000-0000-4000-8000-00000000000B", "pets/Dog/F1EF0000-0000-4000-8000-0000000000FF",
          "",
          "größe", "pets/Cat/1", "elsewhere/Dog/1", "pets/Dog/rex",
        ],
      ]
    )
    try objects.create("Order", ["number": Int.max, "userID": Sample.uuid(2), "placedAt": Sample.date(0.5)])
  }
}
