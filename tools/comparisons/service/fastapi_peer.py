"""FastAPI and onnxruntime at their best settings, answering GET /api/v1/forecast; load.py starts it under uvicorn.

It has no code for the features of a time. Each request runs the network on a row that is
ready, and fills its probabilities into an answer of the same fields and size as Bridgecast's.
"""
import os

import numpy as np
import onnxruntime
import orjson
from fastapi import FastAPI, Response

options = onnxruntime.SessionOptions()
# Workers are processes: threads of the network's own would only get into each other's way.
options.intra_op_num_threads = options.inter_op_num_threads = 1
network = onnxruntime.InferenceSession(os.environ["PEER_NETWORK"], options)
row = {value.name: np.full((1, value.shape[1]), 0.1, np.float32) for value in network.get_inputs()}
with open(os.environ["PEER_ANSWER"], "rb") as file:
    answer = orjson.loads(file.read())
forecast = answer["forecasts"][0]
app = FastAPI(openapi_url=None)


@app.get("/api/v1/forecast")
async def get_forecast(bridge: str, lead_min: float = 0, mode: str = "car"):
    bins = network.run(None, row)[0][0]
    forecast["bridge"] = bridge
    forecast["lead_time_s"] = lead_min * 60
    forecast["probability_stopped"] = round(float(1 - bins[0]), 5)
    forecast["delay_bins"] = [round(value, 5) for value in bins.tolist()]
    return Response(orjson.dumps(answer), media_type="application/json")
