import Testing

@Suite(.timeLimit(.minutes(1)))
struct EnumTests {
  enum Color: String, Decodable { case red, green = "Green", snow = "snow_white" }
  enum Level: Int8, Decodable { case low = -1, high = 1, top = 127 }
  enum Ratio: Double, Decodable { case half = 0.5, one = 1 }

  enum Shape: Decodable, Equatable {
    case none
    case circle(radius: Double)
    case rectangle(width: Double, height: Double?)
    case named(String, Int)
    case nested(inner: [Level], color: Color)
  }

  indirect enum Expression: Decodable, Equatable {
    case number(Int)
    case sum(Expression, Expression)
    case negated(of: Expression)
  }

  @Test func `raw values are the same`() {
    expectSameAnywhere(
      Color.self,
      in: [
        "\"red\"", "\"Green\"", "\"green\"", "\"snow_white\"", "\"r\\u0065d\"", "null", "1", "\"\"",
        "[]", "\"\\x\"",
      ])
    expectSameAnywhere(
      Level.self, Ratio.self,
      in: ["1", "-1", "127", "128", "0", "1.0", "\"1\"", "null", "1e0", "1.5"])
    #expect(expectSame(Color.self, "\"snow_white\"").value == .snow)
  }

  @Test func `payloads are the same`() {
    let texts = [
      #"{"none":{}}"#, #"{"circle":{"radius":1.5}}"#, #"{"rectangle":{"width":1}}"#,
      #"{"rectangle":{"width":1,"height":null}}"#, #"{"rectangle":{"height":2,"width":1}}"#,
      #"{"named":{"_0":"a","_1":2}}"#, #"{"nested":{"inner":[1,-1],"color":"red"}}"#, "{}", "null",
      "[]", #""none""#, #"{"circle":{}}"#, #"{"circle":1}"#, #"{"circle":null}"#, #"{"other":{}}"#,
      #"{"none":{},"circle":{"radius":1}}"#, #"{"none":{},"other":{}}"#, #"{"none":{},"none":1}"#,
      #"{"named":{"_0":"a"}}"#, #"{"nested":{"inner":[1,5],"color":"red"}}"#, #"{"none":null}"#,
      #"{"none":{"extra":1}}"#, #"{"circle":{"radius":"x"}}"#, #"{"rectangle":{"height":2}}"#,
    ]
    expectSameAnywhere(Shape.self, in: texts)
    #expect(expectSame(Shape.self, #"{"named":{"_0":"a","_1":2}}"#).value == .named("a", 2))
  }

  @Test func `indirect enums are the same`() {
    let leaf = #"{"number":{"_0":1}}"#
    var text = leaf
    for _ in 0..<60 {
      text = #"{"sum":{"_0":{"negated":{"of":\#(text)}},"_1":\#(leaf)}}"#
      expectSame(Expression.self, text)
    }
    expectSameFailure(Expression.self, #"{"sum":{"_0":\#(leaf)}}"#)
    expectSameFailure(Expression.self, #"{"negated":{"of":{"number":{"_0":"x"}}}}"#)
    expectSameFailure(Expression.self, #"{"negated":{"of":null}}"#)
  }
}
