-- The requests of wrk, and its results as one line of JSON; load.py passes its options after `--`.
--   forecast            GET /api/v1/forecast, another bridge or lead each time, so that no answer can be kept
--   get PATH            GET of one path
--   rank FILE           POST /api/v1/routes/rank with a file's content
-- and then the mean pause of a connection between its requests, milliseconds; 0 for none.
local next_request, pause

local function forecasts()
    local all = {}
    for _, bridge in ipairs({ "Ballard", "Fremont", "University", "Montlake", "3", "29", "1" }) do
        for lead = 0, 59 do
            all[#all + 1] = wrk.format("GET", "/api/v1/forecast?bridge=" .. bridge .. "&lead_min=" .. lead)
        end
    end
    return all
end

function init(arguments)
    local kind, number = arguments[1], 0
    local all
    if kind == "forecast" then
        all = forecasts()
    elseif kind == "get" then
        all = { wrk.format("GET", arguments[2]) }
    else
        local file = assert(io.open(arguments[2], "rb"))
        all = { wrk.format("POST", "/api/v1/routes/rank", { ["Content-Type"] = "application/json" }, file:read("*a")) }
        file:close()
    end
    pause = tonumber(arguments[#arguments])
    next_request = function()
        number = number % #all + 1
        return all[number]
    end
    if pause == 0 then delay = nil end
end

function request() return next_request() end

-- Pauses as of many clients that know nothing of each other.
function delay() return math.floor(-math.log(1 - math.random()) * pause + 0.5) end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '{"requests": %d, "seconds": %.6f, "p50_ms": %.4f, "p99_ms": %.4f, "failed": %d}\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
