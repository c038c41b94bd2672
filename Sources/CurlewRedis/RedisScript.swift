/// The scripts that Redis runs as one step.
enum RedisScript {
  /// Versions are the microseconds of Redis' clock, so that they grow after a restart with no data, too.
  ///
  /// Keys: the value, the lease. Arguments: the write's identifier, the expected version, whether there are bytes, the
  /// milliseconds until the expiry, the lease's number or nothing, the channel, the bytes, the sealed key.
  static let set = """
    local old = redis.call('HMGET', KEYS[1], 'v', 'w', 'b')
    local version = old[1] or '0'
    if old[2] == ARGV[1] then
      redis.call('PEXPIRE', KEYS[1], ARGV[4])
      return {'1', version, old[2], old[3]}
    end
    if version ~= ARGV[2] then return {'0', version, old[2], old[3]} end
    if ARGV[5] ~= '' and redis.call('HGET', KEYS[2], 'v') ~= ARGV[5] then return {'2'} end
    local time = redis.call('TIME')
    local new = string.format('%.0f', math.max(version + 1, time[1] * 1000000 + time[2]))
    redis.call('HSET', KEYS[1], 'v', new, 'w', ARGV[1], 'b', ARGV[7])
    if ARGV[3] == '0' then redis.call('HDEL', KEYS[1], 'b') end
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    redis.call('PUBLISH', ARGV[6], new .. ' ' .. ARGV[8])
    return {'1', new, ARGV[1], ARGV[3] == '1' and ARGV[7]}
    """

  /// Counts the units of each tenth of the window.
  ///
  /// Key: the quota. Arguments: the number of units, the limit, the milliseconds of a tenth, the server.
  static let take = """
    local time = redis.call('TIME')
    local now, step = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(ARGV[3])
    local current, used, servers = math.floor(now / step), 0, 1
    local oldest = current
    local all = redis.call('HGETALL', KEYS[1])
    for i = 1, #all, 2 do
      local name, number = all[i], tonumber(all[i + 1])
      if string.sub(name, 1, 1) == 's' then
        if name ~= 's' .. ARGV[4] then
          if number < current - 20 then redis.call('HDEL', KEYS[1], name) else servers = servers + 1 end
        end
      elseif tonumber(name) < current - 10 then
        redis.call('HDEL', KEYS[1], name)
      else
        used = used + number
        oldest = math.min(oldest, tonumber(name))
      end
    end
    local granted = math.max(0, math.min(tonumber(ARGV[1]), ARGV[2] - used))
    if granted > 0 then redis.call('HINCRBY', KEYS[1], string.format('%.0f', current), granted) end
    redis.call('HSET', KEYS[1], 's' .. ARGV[4], string.format('%.0f', current))
    redis.call('PEXPIRE', KEYS[1], step * 30)
    return {granted, math.max(1, (oldest + 11) * step - now), math.floor(ARGV[2] / servers)}
    """
}
