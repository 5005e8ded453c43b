"""Starts SkyRL's Tinker server on 127.0.0.1 without uv: argv holds the engine's own flags, with --port."""

import argparse
import runpy
import sys
import typing

import typing_extensions

# SkyRL's types are written for Python 3.12; before it pydantic takes only this one.
typing.TypedDict = typing_extensions.TypedDict


def engine_command(_parent, config):
    from skyrl.tinker.config import config_to_argv

    return [sys.executable, __file__, "--engine", *config_to_argv(config)]


def serve():
    import uvicorn
    from skyrl.tinker import api
    from skyrl.tinker.config import EngineConfig, add_model

    parser = argparse.ArgumentParser()
    add_model(parser, EngineConfig)
    parser.add_argument("--port", type=int, required=True)
    given = vars(parser.parse_args())
    port = given.pop("port")
    # SkyRL starts its engine by uv, which nothing here needs.
    api._build_uv_run_cmd_engine = engine_command
    api.app.state.engine_config = EngineConfig(**given)
    uvicorn.run(api.app, host="127.0.0.1", port=port, log_level="warning")


if sys.argv[1] == "--engine":
    sys.argv = sys.argv[1:]
    runpy.run_module("skyrl.tinker.engine", run_name="__main__")
else:
    serve()
