extension UserTexts {
  /// Vietnamese.
  public static let vietnamese = UserTexts(
    language: "vi", separator: " ",
    timeout: "Máy chủ phản hồi quá lâu. Vui lòng thử lại sau giây lát.",
    nameNotResolved: "Không tìm thấy máy chủ. Hãy kiểm tra kết nối Internet rồi thử lại.",
    unreachable: "Không thể kết nối đến máy chủ. Hãy kiểm tra kết nối Internet rồi thử lại.",
    connectionRefused: "Máy chủ hiện không nhận kết nối. Vui lòng thử lại sau giây lát.",
    connectionLost: "Mất kết nối với máy chủ. Vui lòng thử lại.",
    untrusted: "Không thể thiết lập kết nối bảo mật: không xác minh được danh tính của máy chủ, "
      + "hoặc máy chủ không chấp nhận ứng dụng này.",
    insecure: "Không thể thiết lập kết nối bảo mật với máy chủ.",
    connectionFailed: "Kết nối với máy chủ gặp sự cố. Vui lòng thử lại sau giây lát.",
    tooManyRequests: "Quá nhiều yêu cầu.",
    rateLimited: "Đã đạt giới hạn số yêu cầu.",
    notWorking: "Máy chủ hiện không hoạt động.",
    serverProblem: "Máy chủ đang gặp sự cố.",
    signIn: "Vui lòng đăng nhập để tiếp tục.",
    forbidden: "Bạn không có quyền thực hiện thao tác này.",
    notFound: "Không tìm thấy mục này.",
    notAccepted: "Máy chủ không chấp nhận yêu cầu này.",
    unreadable: "Không đọc được phản hồi của máy chủ.",
    invalidResponse: "Phản hồi của máy chủ không hợp lệ.",
    damagedEncoding: "Phản hồi của máy chủ bị hỏng.",
    damaged: "Dữ liệu nhận từ máy chủ bị lỗi. Vui lòng thử lại.",
    tooLarge: "Phản hồi của máy chủ quá lớn.",
    webPage: "Nhận được một trang web thay vì dữ liệu. Có thể mạng này yêu cầu đăng nhập.",
    redirect: "Máy chủ chuyển hướng đến một địa chỉ không mở được.",
    notSendable: "Không thể gửi yêu cầu này.",
    notStored: "Nội dung này chưa từng được tải nên không xem được khi ngoại tuyến.",
    cancelled: "Đã hủy.",
    tooLongToSend: "Nội dung quá dài nên không gửi được. Hãy rút ngắn rồi thử lại.",
    otherOrigin: "Trang này chỉ nhận biểu mẫu gửi từ chính trang web này.",
    unknownAction: "Trang này không hỗ trợ thao tác này.",
    fileNotFound: "Không tìm thấy tệp hoặc thư mục chứa tệp.",
    fileNotPermitted: "Không mở được tệp vì không có quyền truy cập.",
    fileExists: "Đã có tệp trùng tên.",
    fileNoSpace: "Không lưu được tệp vì không đủ dung lượng.",
    fileInUse: "Tệp này đang được tải xuống.",
    fileChanged: "Tệp đã thay đổi trong lúc gửi. Vui lòng thử lại.",
    fileFailed: "Không đọc hoặc lưu được tệp.",
    somethingWrong: "Đã xảy ra lỗi. Vui lòng thử lại.",
    tryAgain: { retry in
      switch retry {
      case .inAMoment: "Vui lòng thử lại sau giây lát."
      case .inAWhile: "Vui lòng thử lại sau ít phút."
      case .later: "Vui lòng thử lại sau."
      case .after(let count, .seconds): "Vui lòng thử lại sau \(count) giây."
      case .after(let count, .minutes): "Vui lòng thử lại sau \(count) phút."
      case .after(let count, .hours): "Vui lòng thử lại sau \(count) giờ."
      }
    },
    tryingAgain: { "Tự động thử lại sau \($0) giây." },
    failureTitle: "Không thực hiện được", tryAgainButton: "Thử lại", dismissButton: "OK",
    loading: "Đang tải…", noItems: "Chưa có gì ở đây.",
    noResults: { "Không có kết quả cho “\($0)”" })
}
