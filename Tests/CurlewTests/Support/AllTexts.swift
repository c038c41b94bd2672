import Foundation

/// Returns all textual representations of a value.
func allTexts(of value: Any) -> String {
  var text = "\(value) \(String(reflecting: value)) \([value]) \(["x": value])"
  dump(value, to: &text)
  if let error = value as? any Error { text += error.localizedDescription }
  return text
}
