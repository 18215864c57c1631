# Sourced after setup.sh by tools that need Apache Spark: sets `spark_python` to a Python that has it. Spark takes half a
# gigabyte, so it has an environment of its own, .build/spark, and only these tools install it, and Java.

spark_python=$root/.build/spark/bin/python
need_commands java=openjdk-17-jre-headless
if [ ! -f "$root/.build/spark/complete" ]; then
    say "installing pyspark 4.3.0 into .build/spark"
    if ! python3 -m venv "$root/.build/spark" >&2; then
        say "Python 3 with its venv module is needed; on Debian: apt-get install python3-venv"
        exit 69
    fi
    "$spark_python" -m pip install --quiet --disable-pip-version-check pyspark==4.3.0 pyarrow==26.0.1 numpy==2.2.6 "pandas<3" >&2 \
        || { say "pip could not install pyspark"; exit 69; }
    touch "$root/.build/spark/complete"
fi
# Workers run the same Python, and all is on this machine.
export PYSPARK_PYTHON=$spark_python PYSPARK_DRIVER_PYTHON=$spark_python SPARK_LOCAL_IP=127.0.0.1
