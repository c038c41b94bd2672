import Application
import CurlewLive
import CurlewLiveTesting
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import ShowcaseTestSupport
import Testing

@testable import showcase

/// The page of a breed: shows the breed from the search results until its details are loaded.
@Suite(.timeLimit(.minutes(1)))
struct DogPageTests {
  private let servers = HeldServers()

  private var known: Dog {
    var dog = Dog(name: "Great Dane")
    (dog.origin, dog.weight, dog.lifespan) = ("Germany", 50...80, 7...10)
    dog.picture = URL(string: "http://127.0.0.1/dogs/pictures/great-dane.svg")
    return dog
  }

  private var whole: Dog {
    var dog = known
    (dog.coats, dog.temperament) = (["fawn", "blue"], ["patient"])
    return dog
  }

  @Test func `what the search knew is there at once`() {
    let recent = RecentValues<String, Dog>()
    let list = DrawnPage(DogsPage(DogSearch(servers, recent: recent)), at: "/dogs?q=great")
    list.reply([known], to: servers.dogs)
    #expect(list.elements.texts("#list .meta span") == ["Germany", "50–80 kg", "7–10 years"])
    let picture = "/images/127.0.0.1/dogs/pictures/great-dane.svg"
    #expect(list.elements.attribute("src", of: "#list img") == picture)
    let address = list.elements.attribute("href", of: "#list a") ?? ""
    #expect(address == "/dogs/great-dane")

    let page = DrawnPage(DogPage(DogDetail(servers, recent: recent)), at: address)
    #expect(page.elements.text("#dog-name") == "Great Dane")
    #expect(page.elements.attribute("src", of: "#dog img") == picture)
    #expect(page.elements.texts("#dog dd") == ["50–80 kg", "7–10 years", "–"])
    #expect(page.elements.texts("#dog .bone").count == 2)
    #expect(page.status == "Loading the details…")
    page.reply(whole, to: servers.breeds)
    #expect(page.elements.texts("#dog .topic") == ["patient", "fawn", "blue"])
    #expect(!page.elements.has("#dog .bone"))
    #expect(page.status == "")
  }

  @Test func `a dog that is not there is said to be missing`() {
    let page = DrawnPage(DogPage(DogDetail(servers)), at: "/dogs/cat")
    #expect(page.status == "Loading the breed…")
    page.reply(nil, to: servers.breeds)
    #expect(page.elements.has("#missing"))
    #expect(servers.breeds.requested == ["cat"])
  }

  @Test(arguments: ["great-dane", "a/b?c#d", "كلب", "50% \"dog\""])
  func `any id survives in an address`(id: String) {
    let page = DogPage(DogDetail(servers))
    #expect(page.query(of: Dog.address(id))?["id"] == id)
  }
}
